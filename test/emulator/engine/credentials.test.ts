import { describe, expect, test } from "vitest";
import { FRONTS, testSeed } from "../fronts.js";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/;
const LIST = "/api/v3/auth_configs";
const SESSION = "/api/v3/auth/session/info";

/** The whole error object of the spec: nothing may be missing, nothing may be added. */
function errorBody(status: number, code: number, slug: string, message: string, suggested_fix: string) {
  return { error: { message, code, slug, status, request_id: expect.stringMatching(UUID), suggested_fix } };
}

const twoKeys = errorBody(
  401,
  10401,
  "HTTP_Unauthorized",
  "More than one authentication mode was sent",
  "Send exactly one key",
);
const noKey = (headers: string) => errorBody(401, 906, "Auth_NoAuthProvided", "No API key provided", `Send ${headers}`);
const wrongHeader = (accepted: string, sent: string) =>
  errorBody(401, 902, "Auth_Unauthorized", "Access denied", `This operation takes ${accepted}, not ${sent}`);
const invalidKey = (masked: string) =>
  errorBody(401, 801, "APIKey_InvalidAPIKey", `Invalid API key: ${masked}`, "Check the key and the base URL");
const invalidUserKey = errorBody(
  401,
  2113,
  "UserApiKey_Unauthorized",
  "Invalid or revoked user API key",
  "Check the user key",
);
const invalidOrgKey = errorBody(401, 10401, "HTTP_Unauthorized", "Invalid x-org-api-key", "Check the organization key");
const projectOrUser = "x-api-key or x-user-api-key";
const userOrgOrCookie = "x-user-api-key or x-org-api-key or cookie";

describe.each(FRONTS)("credentials %s", (_, open) => {
  test.each([
    ["none", LIST, {}, noKey(projectOrUser)],
    ["no credential for the session", SESSION, {}, noKey(userOrgOrCookie)],
    ["another cookie", SESSION, { cookie: "theme=dark" }, noKey(userOrgOrCookie)],
    ["the wrong header", LIST, { "x-org-api-key": "oak_emulator" }, wrongHeader(projectOrUser, "x-org-api-key")],
    [
      "the project key for the session",
      SESSION,
      { "x-api-key": "ak_emulator" },
      wrongHeader(userOrgOrCookie, "x-api-key"),
    ],
    ["two headers, both good", LIST, { "x-api-key": "ak_emulator", "x-user-api-key": "uak_emulator" }, twoKeys],
    ["a key and a cookie", LIST, { "x-api-key": "ak_emulator", cookie: "authToken=cookie_emulator" }, twoKeys],
    ["two headers, one wrong", LIST, { "x-api-key": "ak_emulator", "x-org-api-key": "oak_x" }, twoKeys],
    ["an unknown project key", LIST, { "x-api-key": "ak_unknown" }, invalidKey("ak_u...")],
    ["a user key in the project header", LIST, { "x-api-key": "uak_emulator" }, invalidKey("uak_...")],
    ["a key in another case", LIST, { "x-api-key": "AK_EMULATOR" }, invalidKey("AK_E...")],
    ["a revoked key", LIST, { "x-api-key": "ak_revoked" }, invalidKey("ak_r...")],
    ["an unknown user key", LIST, { "x-user-api-key": "uak_unknown" }, invalidUserKey],
    ["an unknown organization key", SESSION, { "x-org-api-key": "oak_unknown" }, invalidOrgKey],
    [
      "an unknown cookie",
      SESSION,
      { cookie: "authToken=unknown" },
      errorBody(401, 902, "Auth_Unauthorized", "Access denied", "Log in again"),
    ],
    [
      "an expired key",
      LIST,
      { "x-api-key": "ak_expired" },
      errorBody(401, 811, "APIKey_APIKeyExpired", "API key has expired", "Make a new key"),
    ],
  ])("returns 401 with the complete error object for %s", async (_case, path, headers, body) => {
    const { raw } = await open();
    const answer = await raw("GET", path, { headers });
    expect(answer.status).toBe(401);
    expect(answer.body).toEqual(body);
    expect(answer.headers.get("content-type")).toBe("application/json");
  });

  test("returns 403 for a key without permission, which can still call other operations", async () => {
    const { raw } = await open();
    const headers = { "x-api-key": "ak_readonly" };
    const answer = await raw("POST", LIST, { headers, body: { toolkit: { slug: "github" } } });
    expect(answer.status).toBe(403);
    expect(answer.body).toEqual(
      errorBody(
        403,
        812,
        "APIKey_InsufficientPermissions",
        "API key does not have write access to authConfigs",
        "Use a key that may call authConfigs.create",
      ),
    );
    expect((await raw("GET", LIST, { headers })).status).toBe(200);
  });

  test("returns 403 for each operation of an area that the key may not call", async () => {
    const key = { kind: "apiKey", value: "ak_narrow", denied: ["tools"] } as const;
    const { raw } = await open({ seed: { ...testSeed, keys: [...testSeed.keys, key] } });
    const headers = { "x-api-key": "ak_narrow" };
    const answer = await raw("GET", "/api/v3.1/tools", { headers });
    const message = "API key does not have read access to tools";
    const slug = "APIKey_InsufficientPermissions";
    expect(answer.body).toEqual(errorBody(403, 812, slug, message, "Use a key that may call tools.list"));
    expect((await raw("GET", "/api/v3.1/toolkits", { headers })).status).toBe(200);
  });

  test("finds the cookie among others", async () => {
    const { raw } = await open();
    const headers = { cookie: "theme=dark; authToken=cookie_emulator; lang=en" };
    expect((await raw("GET", SESSION, { headers })).status).toBe(200);
  });

  test("checks credentials before the request's content", async () => {
    const { raw } = await open();
    expect(await raw("POST", LIST, { headers: {}, body: "{" })).toMatchObject({ status: 401 });
    expect(await raw("GET", `${LIST}/not-an-id`, { headers: {} })).toMatchObject({ status: 401 });
  });

  test("returns a different request id each time", async () => {
    const { raw } = await open();
    const first = await raw("GET", LIST, { headers: {} });
    const second = await raw("GET", LIST, { headers: {} });
    expect(first.body).not.toEqual(second.body);
  });

  test("maps to the spec's conditions in the client", async () => {
    const { client } = await open();
    const fails = (apiKey: string) => client({ apiKey }).authConfigs.list();
    await expect(fails("ak_unknown")).rejects.toMatchObject({ condition: "invalid_api_key", status: 401 });
    await expect(fails("ak_revoked")).rejects.toMatchObject({ condition: "invalid_api_key", status: 401 });
    await expect(fails("ak_expired")).rejects.toMatchObject({ condition: "invalid_api_key", status: 401 });
    const readonly = client({ apiKey: "ak_readonly" }).authConfigs.delete("ac_slack_demo");
    await expect(readonly).rejects.toMatchObject({ condition: "insufficient_permissions", status: 403 });
    const org = client({ userApiKey: undefined, orgApiKey: "oak_wrong" }).session.info();
    await expect(org).rejects.toMatchObject({ condition: "invalid_organization_key", status: 401 });
  });

  test("never shows a key in responses and the request log", async () => {
    const { raw, emulator } = await open();
    const secret = "ak_a_very_secret_key";
    const { text } = await raw("GET", LIST, { headers: { "x-api-key": secret } });
    expect(text).not.toContain(secret);
    expect(JSON.stringify(emulator.requests)).not.toContain(secret);
  });

  test("masks a short key entirely", async () => {
    const { raw } = await open();
    const answer = await raw("GET", LIST, { headers: { "x-api-key": "abc" } });
    expect(answer.body).toEqual(invalidKey("REDACTED"));
  });
});
