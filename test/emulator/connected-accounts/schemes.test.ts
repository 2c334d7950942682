import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { demoCredentials } from "../../../src/emulator/connected-accounts/schemes.js";
import { stateInClear } from "../../../src/emulator/connected-accounts/show.js";
import type { EmulatorSeed } from "../../../src/emulator/index.js";
import { CONNECTION_STATUSES } from "../../../src/resources/connected-accounts/state-fields-schema.js";
import { SCHEMES } from "../../../src/resources/connected-accounts/state-values-schema.js";
import { AUTH_SCHEMES } from "../../../src/resources/shared.js";
import { sampled } from "../../support/size.js";
import { FRONTS } from "../fronts.js";
import { post, visit } from "./support.js";

/** An auth config of every scheme, with an account in every status. */
const everything: EmulatorSeed = {
  keys: [{ kind: "apiKey", value: "ak_emulator" }],
  authConfigs: AUTH_SCHEMES.map((scheme) => ({ id: `ac_${scheme}`, toolkit: "textkit", type: "custom", scheme })),
  connectedAccounts: AUTH_SCHEMES.flatMap((scheme) =>
    CONNECTION_STATUSES.map((status) => ({
      id: `ca_${scheme}_${status}`,
      userId: "ada",
      authConfigId: `ac_${scheme}`,
      status,
    })),
  ),
};

/** Fields a form may ask for. */
const form = {
  ...{ username: "ada", password: "secret", token: "token-1", sessionId: "session-1", devKey: "dev-1" },
  ...{ credentials_json: "{}", application_id: "a", installation_id: "i", private_key: "key-1", access_token: "at-1" },
};

/** The fields that a scheme declares for a status. */
function declaredFields(scheme: (typeof AUTH_SCHEMES)[number], status: string): string[] {
  return SCHEMES[scheme].flatMap(({ shape }) => (z.safeParse(shape.status, status).success ? Object.keys(shape) : []));
}

/** Fields that a scheme shows in every status. */
const SHOWN: { readonly [Scheme in (typeof AUTH_SCHEMES)[number]]?: readonly string[] } = {
  DCR_OAUTH: ["client_id"],
  BASIC_WITH_JWT: ["username", "password"],
};

test.each(AUTH_SCHEMES)("%s declares the fields of its demo credentials", (scheme) => {
  expect(declaredFields(scheme, "ACTIVE")).toEqual(expect.arrayContaining(Object.keys(demoCredentials(scheme))));
});

test.each(AUTH_SCHEMES)("%s shows its credentials only while an account is usable", (scheme) => {
  const values = { ...demoCredentials(scheme), subdomain: "acme" };
  for (const status of CONNECTION_STATUSES) {
    const { val } = stateInClear({ scheme, status, values, outcome: {}, flow: null }, "");
    const isUsable = status === "ACTIVE" || status === "INACTIVE";
    const shown = isUsable ? Object.keys(values) : ["subdomain", ...(SHOWN[scheme] ?? [])];
    expect(new Set(Object.keys(val)), status).toEqual(new Set(["status", ...shown]));
  }
});

describe.each(FRONTS)("every scheme, %s", (_, openFront) => {
  test("has a valid record in every status", async () => {
    const { svc } = await openFront({ seed: everything });
    const { items } = await svc.connectedAccounts.list({ limit: 1000 });
    expect(items).toHaveLength(AUTH_SCHEMES.length * CONNECTION_STATUSES.length);
    for (const { id, status, state } of items) {
      expect(`ca_${state.authScheme}_${status}`).toBe(id);
      expect(state.val.status).toBe(status);
    }
  });

  test.each(sampled(AUTH_SCHEMES, 3))("%s connects on the hosted page, expires, and reconnects", async (scheme) => {
    const front = await openFront({ seed: everything });
    const { connectedAccounts } = front.svc;
    const made = await connectedAccounts.link({ auth_config_id: `ac_${scheme}`, user_id: "ada" });
    const id = made.connected_account_id;
    const statusNow = async () => (await connectedAccounts.get(id)).status;
    expect(await statusNow()).toBe("INITIALIZING");
    await visit(front, made.redirect_url);
    expect(await statusNow()).toBe("INITIATED");
    await post(front, `${made.redirect_url}/complete`, form);
    expect(await statusNow()).toBe("ACTIVE");
    front.emulator.accounts.expire(id);
    expect(await statusNow()).toBe("EXPIRED");

    const failed = await connectedAccounts.link({ auth_config_id: `ac_${scheme}`, user_id: "ada" });
    await post(front, `${failed.redirect_url}/fail`);
    expect(await connectedAccounts.get(failed.connected_account_id)).toMatchObject({ status: "FAILED" });
  });

  test.each(sampled(AUTH_SCHEMES, 3))("%s activated from code has what its user would have entered", async (scheme) => {
    const { svc, emulator } = await openFront({ seed: everything });
    const connection_data = { subdomain: "acme", ...(scheme === "BASIC" && { username: "ada" }) };
    const made = await svc.connectedAccounts.link({ auth_config_id: `ac_${scheme}`, user_id: "eve", connection_data });
    emulator.accounts.activate(made.connected_account_id);
    const { status, state } = await svc.connectedAccounts.get(made.connected_account_id);
    expect(status).toBe("ACTIVE");
    expect(state.val).toMatchObject(connection_data);
    expect((await svc.connectedAccounts.list({ user_ids: ["eve"] })).total_items).toBe(1);
  });
});
