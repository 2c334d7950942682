import { describe, expect, test } from "vitest";
import { FRONTS } from "../fronts.js";

const url = "/api/v1/integrations/integration-demo";

describe.each(FRONTS)("integrations.update %s", (_, open) => {
  test("succeeds", async () => {
    const { svc } = await open();
    const changed = svc.integrations.update("integration-demo", { authConfig: { key: "value" }, enabled: false });
    const { data, meta } = await changed.withResponse();
    expect(data).toEqual({ status: "success" });
    expect(meta.status).toBe(204);
  });

  test("returns 204 without body and content type", async () => {
    const { raw } = await open();
    const answer = await raw("PATCH", url, { headers: { "x-api-key": "ak_emulator" }, body: { enabled: true } });
    expect(answer).toMatchObject({ status: 204, text: "" });
    expect(answer.headers.get("content-type")).toBeNull();
    expect(answer.headers.get("x-ratelimit-remaining")).toBe("1999");
  });

  test("keeps the changes", async () => {
    const { svc, emulator } = await open();
    await svc.integrations.update("integration-demo", { authConfig: { key: "value" } });
    await svc.integrations.update("integration-demo", { enabled: false });
    expect(emulator.snapshot()["integrations"]).toEqual([
      ["integration-demo", { id: "integration-demo", authConfig: { key: "value" }, enabled: false }],
    ]);
  });

  test("returns 404 for an unknown connector", async () => {
    const { svc } = await open();
    await expect(svc.integrations.update("nope", {})).rejects.toMatchObject({
      name: "NotFoundError",
      errorSlug: "Integration_ResourceNotFound",
    });
  });

  test.each([
    [[], "body: expected an object, received array"],
    [{ enabled: "yes" }, "body.enabled: expected a boolean, received string"],
    [{ auth_config: {} }, "body.auth_config: no such field (did you mean authConfig?)"],
  ])("rejects the body %j with 400", async (body, complaint) => {
    const { raw } = await open();
    const answer = await raw("PATCH", url, { headers: { "x-api-key": "ak_emulator" }, body });
    expect(answer).toMatchObject({ status: 400, body: { error: { errors: [complaint] } } });
  });

  test("accepts only the project key, under /api/v1 only", async () => {
    const { raw } = await open();
    const headers = { "x-user-api-key": "uak_emulator" };
    expect(await raw("PATCH", url, { headers, body: {} })).toMatchObject({ status: 401 });
    expect(await raw("PATCH", url.replace("v1", "v3.1"), { body: {} })).toMatchObject({ status: 404 });
  });
});
