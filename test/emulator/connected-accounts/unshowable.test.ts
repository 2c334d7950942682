import { describe, expect, test } from "vitest";
import type { EmulatorSeed } from "../../../src/emulator/index.js";
import { AUTH_SCHEMES } from "../../../src/resources/shared.js";
import { sampled, sized } from "../../support/size.js";
import { FRONTS, type Front } from "../fronts.js";
import { link, post, seed, visit } from "./support.js";

const headers = { "x-api-key": "ak_emulator" };

/** Checks that every page of accounts can be read, with the expected total. */
async function expectAccounts({ raw }: Front, count: number) {
  const list = await raw("GET", "/api/v3.1/connected_accounts?account_type=ALL");
  expect(list).toMatchObject({ status: 200, body: { total_items: count } });
}

function create({ raw }: Front, auth_config: string, connection: object) {
  return raw("POST", "/api/v3.1/connected_accounts", {
    headers,
    body: { auth_config: { id: auth_config }, connection },
  });
}

const seeded = seed.connectedAccounts?.length ?? 0;

describe.each(FRONTS)("a value that no response could show is rejected, %s", (_, openFront) => {
  const open = () => openFront({ seed });

  test.each([
    ["a number for a token", { status: "ACTIVE", access_token: 5 }, ["access_token"]],
    ["a string for the user's own token", { access_token: "at", status: "ACTIVE", authed_user: "x" }, ["authed_user"]],
    ["what only fits while nobody has connected it", { authed_user: "x" }, ["authed_user"]],
    ["an invalid subdomain", { subdomain: 5 }, ["subdomain"]],
    ["two at once", { extra_token_data: 7, callback_url: 5 }, ["extra_token_data", "callback_url"]],
  ] as const)("created from data: %s", async (_case, data, names) => {
    const front = await open();
    const errors = names.map((name) => `body.connection.data.${name}: no value that a connection of OAUTH2 can have`);
    expect(await create(front, "ac_github_own", { user_id: "ada", data })).toMatchObject({
      status: 400,
      body: { error: { errors } },
    });
    await expectAccounts(front, seeded);
  });

  test("created from a state that is valid only for its first status", async () => {
    const front = await open();
    const state = { authScheme: "OAUTH2", val: { status: "INITIALIZING", authed_user: "x" } };
    expect(await create(front, "ac_github_own", { user_id: "ada", state })).toMatchObject({
      status: 400,
      body: {
        error: { errors: ["body.connection.state.val.authed_user: no value that a connection of OAUTH2 can have"] },
      },
    });
    await expectAccounts(front, seeded);
  });

  test.each([{ status: "EXPIRED" }, { status: { toString: 1, valueOf: 1 } }, { status: null }])(
    "created with an invalid initial status: %j",
    async (data) => {
      const front = await open();
      expect(await create(front, "ac_github_own", { user_id: "ada", data })).toMatchObject({ status: 400 });
      await expectAccounts(front, seeded);
    },
  );

  test.each([
    { authed_user: "x" },
    { authed_user: { scope: 1, access_token: 2 } },
    { extra_token_data: 7 },
    { callback_url: 5 },
    { finalRedirectUri: {} },
  ])("linked with %j", async (connection_data) => {
    const front = await open();
    const body = { auth_config_id: "ac_github", user_id: "ada", connection_data };
    expect(await front.raw("POST", "/api/v3.1/connected_accounts/link", { headers, body })).toMatchObject({
      status: 400,
      body: {
        error: { errors: [expect.stringContaining(`body.connection_data.${Object.keys(connection_data)[0]}: `)] },
      },
    });
    await expectAccounts(front, seeded);
  });

  test("linked and created with thousands of values: reports the invalid one quickly", async () => {
    const front = await open();
    const many = Object.fromEntries(Array.from({ length: sized(500, 5_000) }, (__, index) => [`key${index}`, "value"]));
    const errors = (part: string) => ({
      status: 400,
      body: { error: { errors: [`body.${part}.authed_user: no value that a connection of OAUTH2 can have`] } },
    });
    const linked = (connection_data: object) => {
      const body = { auth_config_id: "ac_github", user_id: "ada", connection_data };
      return front.raw("POST", "/api/v3.1/connected_accounts/link", { headers, body });
    };
    const odd = { ...many, authed_user: "x" };
    expect(await linked(many)).toMatchObject({ status: 201 });
    expect(await linked(odd)).toMatchObject(errors("connection_data"));
    const connection = { user_id: "ada", data: { ...odd, status: "ACTIVE", access_token: "at" } };
    expect(await create(front, "ac_github_own", connection)).toMatchObject(errors("connection.data"));
    await expectAccounts(front, seeded + 1);
  });

  test("completed with it: the page reports it, and works again", async () => {
    const front = await open();
    const { redirect_url, connected_account_id: id } = await link(front);
    const json = (text: string) => visit(front, `${redirect_url}/complete`, { method: "POST", body: text });
    const refused = await json('{"subdomain":5,"authed_user":"<b>"}');
    expect(refused).toMatchObject({
      status: 400,
      text: expect.stringMatching(/^<!doctype html>[\s\S]*form\.subdomain: no value/),
    });
    expect(await json(`{"a":${"[".repeat(5_000)}${"]".repeat(5_000)}}`)).toMatchObject({ status: 400 });
    expect(await json("{")).toMatchObject({ status: 400 });
    await expectAccounts(front, seeded + 1);
    expect(await json('{"subdomain":"acme","tenants":[1,2]}')).toMatchObject({ status: 200 });
    const { state } = await front.svc.connectedAccounts.get(id);
    expect(state.val).toMatchObject({ status: "ACTIVE", subdomain: "acme", tenants: [1, 2] });
  });

  test("denied with a reason that isn't a string: uses the default reason", async () => {
    const front = await open();
    const { redirect_url, connected_account_id: id } = await link(front);
    const body = '{"error":{"toString":1,"valueOf":1},"error_description":5}';
    expect(await visit(front, `${redirect_url}/fail`, { method: "POST", body })).toMatchObject({ status: 200 });
    const { state } = await front.svc.connectedAccounts.get(id);
    expect(state.val).toMatchObject({ error: "access_denied", error_description: "The user denied access" });
  });
});

const schemes: EmulatorSeed = {
  keys: [{ kind: "apiKey", value: "ak_emulator" }],
  authConfigs: AUTH_SCHEMES.map((scheme) => ({ id: `ac_${scheme}`, toolkit: "textkit", type: "custom", scheme })),
};

/** Schemes without credentials, and one whose credential depends on the toolkit. */
const BARE = ["NO_AUTH", "CALCOM_AUTH", "SAML", "API_KEY"];

describe.each(FRONTS)("an ACTIVE account without credentials, %s", (_, openFront) => {
  test.each(sampled(AUTH_SCHEMES, 3))("of %s is rejected by name, or can be shown", async (scheme) => {
    const front = await openFront({ seed: schemes });
    const answer = await create(front, `ac_${scheme}`, { user_id: "ada", data: { status: "ACTIVE" } });
    const isBare = BARE.includes(scheme);
    expect(answer).toMatchObject(isBare ? { status: 201 } : { status: 400, body: { error: { code: 612 } } });
    await expectAccounts(front, isBare ? 1 : 0);
  });

  test.each(["OAUTH2", "OAUTH1", "DCR_OAUTH"])(
    "of %s connects on the hosted page, which asks for no credentials",
    async (scheme) => {
      const front = await openFront({ seed: schemes });
      const made = await link(front, { auth_config_id: `ac_${scheme}` });
      expect((await visit(front, made.redirect_url)).text).not.toContain("<input");
      expect(await post(front, `${made.redirect_url}/complete`)).toMatchObject({ status: 200 });
      await expectAccounts(front, 1);
    },
  );
});
