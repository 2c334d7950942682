import { describe, expect, test } from "vitest";
import { FRONTS, testSeed } from "../fronts.js";

describe.each(FRONTS)("session %s", (_, open) => {
  test("returns project, key, and member for a user key", async () => {
    const { svc } = await open();
    const info = await svc.session.info();
    expect(info.project).toMatchObject({ nano_id: "pr_emulator", webhook_version: "V3", deleted: false });
    expect(info.project?.org).toMatchObject({ id: "ok_emulator", plan: "hobby" });
    expect(info.api_key).toMatchObject({ project_id: info.project?.nano_id, org_member_id: info.org_member.id });
    expect(info.org_member).toMatchObject({ role: "admin", metadata: { onboarding_platform: "developer" } });
  });

  test("returns no project for an organization key", async () => {
    const { client } = await open();
    const info = await client({ userApiKey: undefined }).session.info();
    expect(info.project).toBeNull();
    expect(info.api_key).not.toBeNull();
  });

  test("returns no key for a session cookie", async () => {
    const { client } = await open();
    const options = { userApiKey: undefined, orgApiKey: undefined, sessionCookie: "cookie_emulator" };
    const info = await client(options).session.info();
    expect(info.project).not.toBeNull();
    expect(info.api_key).toBeNull();
  });

  test("never shows the whole key", async () => {
    const { raw } = await open();
    const answer = await raw("GET", "/api/v3/auth/session/info", { headers: { "x-user-api-key": "uak_emulator" } });
    expect(answer.status).toBe(200);
    expect(answer.text).toContain('"key":"uak_..."');
    expect(answer.text).not.toContain("uak_emulator");
  });

  test("is also served under v3.1", async () => {
    const { raw } = await open();
    const answer = await raw("GET", "/api/v3.1/auth/session/info", { headers: { "x-user-api-key": "uak_emulator" } });
    expect(answer).toMatchObject({ status: 200, body: { org_member: { name: "Developer" } } });
  });

  test("returns 401 for the project key", async () => {
    const { raw } = await open();
    const answer = await raw("GET", "/api/v3/auth/session/info");
    expect(answer).toMatchObject({
      status: 401,
      body: { error: { slug: "Auth_Unauthorized", suggested_fix: expect.stringContaining("x-user-api-key") } },
    });
  });

  test("returns 403 for a key without permission", async () => {
    const denied = { kind: "userApiKey", value: "uak_denied", denied: ["session"] } as const;
    const { client } = await open({ seed: { ...testSeed, keys: [denied] } });
    await expect(client({ userApiKey: "uak_denied" }).session.info()).rejects.toMatchObject({
      name: "PermissionDeniedError",
      condition: "insufficient_permissions",
      message: expect.stringContaining("API key does not have read access to session"),
    });
  });
});
