import { describe, expect, test } from "vitest";
import { FRONTS, testSeed } from "./fronts.js";

describe.each(FRONTS)("session %s", (_, open) => {
  test("a user key sees project, key and member", async () => {
    const { svc } = await open();
    const info = await svc.session.info();
    expect(info.project).toMatchObject({ nano_id: "pr_emulator", webhook_version: "V3", deleted: false });
    expect(info.project?.org).toMatchObject({ id: "ok_emulator", plan: "hobby" });
    expect(info.api_key).toMatchObject({ project_id: info.project?.id, org_member_id: info.org_member.id });
    expect(info.org_member).toMatchObject({ role: "admin", metadata: { onboarding_platform: "developer" } });
  });

  test("an organization key sees no project", async () => {
    const { client } = await open();
    const info = await client({ userApiKey: undefined }).session.info();
    expect(info.project).toBeNull();
    expect(info.api_key).not.toBeNull();
  });

  test("a session cookie sees no key", async () => {
    const { client } = await open();
    const options = { userApiKey: undefined, orgApiKey: undefined, sessionCookie: "cookie_emulator" };
    const info = await client(options).session.info();
    expect(info.project).not.toBeNull();
    expect(info.api_key).toBeNull();
  });

  test("the key is never shown whole", async () => {
    const { raw } = await open();
    const answer = await raw("GET", "/api/v3/auth/session/info", { headers: { "x-user-api-key": "uak_emulator" } });
    expect(answer.status).toBe(200);
    expect(answer.text).toContain('"key":"uak_..."');
    expect(answer.text).not.toContain("uak_emulator");
  });

  test("it is served under v3.1 as well", async () => {
    const { raw } = await open();
    const answer = await raw("GET", "/api/v3.1/auth/session/info", { headers: { "x-user-api-key": "uak_emulator" } });
    expect(answer).toMatchObject({ status: 200, body: { org_member: { name: "Developer" } } });
  });

  test("the project key is the wrong header for it: 401", async () => {
    const { raw } = await open();
    const answer = await raw("GET", "/api/v3/auth/session/info");
    expect(answer).toMatchObject({
      status: 401,
      body: { error: { slug: "Auth_Unauthorized", suggested_fix: expect.stringContaining("x-user-api-key") } },
    });
  });

  test("a key that may not ask is answered with 403", async () => {
    const denied = { kind: "userApiKey", value: "uak_denied", denied: ["session"] } as const;
    const { client } = await open({ seed: { ...testSeed, keys: [denied] } });
    await expect(client({ userApiKey: "uak_denied" }).session.info()).rejects.toMatchObject({
      name: "PermissionDeniedError",
      condition: "insufficient_permissions",
      message: expect.stringContaining("API key does not have read access to session"),
    });
  });
});
