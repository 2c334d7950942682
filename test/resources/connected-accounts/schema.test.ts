import { describe, expect, test } from "vitest";
import { mismatchesOf } from "../../../src/contract/check-shape.js";
import {
  ConnectionState,
  ConnectionStateInput,
  CreateConnectedAccountBody,
  LinkConnectedAccountBody,
  UpdateConnectedAccountBody,
} from "../../../src/resources/connected-accounts/schema.js";
import { CONNECTION_STATUSES } from "../../../src/resources/connected-accounts/state-fields-schema.js";
import { AUTH_SCHEMES } from "../../../src/resources/shared.js";

/** The fields that some scheme requires in some status. */
const values = {
  access_token: "t",
  application_id: "a",
  authUri: "https://provider.example/oauth",
  client_id: "c",
  credentials_json: "{}",
  devKey: "d",
  installation_id: "i",
  oauth_token: "t",
  oauth_token_secret: "s",
  password: "p",
  private_key: "k",
  redirectUrl: "https://svc.example/r",
  sessionId: "s",
  token: "t",
  username: "u",
};

describe("connection states", () => {
  const states = AUTH_SCHEMES.flatMap((authScheme) =>
    CONNECTION_STATUSES.map((status) => ({ authScheme, val: { status, ...values } })),
  );

  test.each(states)("$authScheme has a shape for $val.status, in responses and requests", (state) => {
    expect(mismatchesOf(ConnectionState, state)).toEqual([]);
    expect(mismatchesOf(ConnectionStateInput, state)).toEqual([]);
  });

  test("a provider's own keys are accepted", () => {
    const state = { authScheme: "API_KEY", val: { status: "ACTIVE", api_key: "k", tenant: { id: 7 } } };
    expect(mismatchesOf(ConnectionState, state)).toEqual([]);
    expect(mismatchesOf(ConnectionStateInput, state)).toEqual([]);
  });

  test("a missing credential is reported with its path", () => {
    expect(mismatchesOf(ConnectionState, { authScheme: "OAUTH2", val: { status: "ACTIVE" } })).toEqual([
      { path: "val.access_token", expected: "a string", received: "missing" },
    ]);
  });

  test("a common field of another kind is reported with its path", () => {
    expect(
      mismatchesOf(ConnectionState, { authScheme: "NO_AUTH", val: { status: "ACTIVE", "your-domain": 7 } }),
    ).toEqual([{ path: "val.your-domain", expected: "a string", received: "number" }]);
  });

  test("an unknown scheme or status is accepted in responses, not in requests", () => {
    const newerScheme = { authScheme: "CIMD_OAUTH", val: { status: "ACTIVE", access_token: "t" } };
    const newerStatus = { authScheme: "OAUTH2", val: { status: "PONDERING" } };
    for (const state of [newerScheme, newerStatus]) {
      expect(mismatchesOf(ConnectionState, state)).toEqual([]);
      expect(mismatchesOf(ConnectionStateInput, state)).not.toEqual([]);
    }
  });
});

describe("requests", () => {
  const patch = (val: object) => ({ connection: { state: { authScheme: "API_KEY", val } } });

  test("the update accepts exactly the 16 fields of the specification, each a string or null", () => {
    const names = [
      "token generic_api_key api_key bearer_token basic_encoded generic_token api_key_prefix generic_secret generic_id",
      "user_agent username password credentials_json application_id installation_id private_key",
    ].flatMap((line) => line.split(" "));
    expect(names).toHaveLength(16);
    for (const value of ["text", "", null]) {
      const val = Object.fromEntries(names.map((name) => [name, value]));
      expect(mismatchesOf(UpdateConnectedAccountBody, patch(val))).toEqual([]);
    }
    expect(mismatchesOf(UpdateConnectedAccountBody, patch({ access_token: "t" }))).toEqual([
      {
        path: "connection.state.val.access_token",
        expected: expect.stringContaining("no such field"),
        received: "string",
      },
    ]);
  });

  test("the update accepts only the six schemes without a flow", () => {
    const body = { connection: { state: { authScheme: "OAUTH2", val: {} } } };
    expect(mismatchesOf(UpdateConnectedAccountBody, body)[0]?.path).toBe("connection.state.authScheme");
  });

  test("access lists have at most 1000 ids of 1 to 256 characters", () => {
    const listed = (allowed_user_ids: string[]) =>
      mismatchesOf(UpdateConnectedAccountBody, { experimental: { acl_config_for_shared: { allowed_user_ids } } });
    expect(listed(Array.from({ length: 1000 }, () => "x".repeat(256)))).toEqual([]);
    expect(listed(Array.from({ length: 1001 }, () => "x"))[0]).toMatchObject({ expected: "at most 1000 items" });
    expect(listed([""])[0]).toMatchObject({
      path: "experimental.acl_config_for_shared.allowed_user_ids[0]",
      expected: expect.stringContaining("at least 1"),
    });
    expect(listed(["x".repeat(257)])[0]).toMatchObject({ expected: "at most 256 characters" });
  });

  test("an empty alias clears the alias", () => {
    expect(mismatchesOf(UpdateConnectedAccountBody, { alias: "" })).toEqual([]);
  });

  test("a link accepts prefilled values and rejects an empty user", () => {
    const body = { auth_config_id: "ac_1", user_id: "u", connection_data: { subdomain: "acme", api_key: "k", own: 1 } };
    expect(mismatchesOf(LinkConnectedAccountBody, body)).toEqual([]);
    expect(mismatchesOf(LinkConnectedAccountBody, { ...body, user_id: "" })[0]?.path).toBe("user_id");
  });

  test("a misspelled field of a creation is reported", () => {
    const body = { auth_config: { id: "ac_1" }, connection: { userId: "u" } };
    expect(mismatchesOf(CreateConnectedAccountBody, body)).toEqual([
      { path: "connection.userId", expected: expect.stringContaining("no such field"), received: "string" },
    ]);
  });
});
