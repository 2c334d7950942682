import { describe, expect, test } from "vitest";
import { BadRequestError, NotFoundError, ResponseError, ValidationError } from "../../../src/index.js";
import { clientOf, emulated, rejectionOf } from "../../support/client.js";

const github = { toolkit: { slug: "github" } };
const custom = { type: "use_custom_auth", authScheme: "OAUTH2", credentials: { client_id: "acme" } } as const;

/** Ids of the toolkit's auth configs, disabled ones included. */
async function idsOf(svc: ReturnType<typeof emulated>["svc"]): Promise<string[]> {
  const { items } = await svc.authConfigs.list({ toolkit_slug: "github", show_disabled: true });
  return items.map(({ id }) => id);
}

test("an enabled managed config is returned, and nothing is created", async () => {
  const { svc } = emulated();
  const before = await idsOf(svc);
  expect(await svc.authConfigs.ensure(github)).toMatchObject({ id: "ac_github_demo", status: "ENABLED" });
  expect(await idsOf(svc)).toEqual(before);
});

test("without one that is enabled, one is created, and found by the next run", async () => {
  const { svc } = emulated();
  await svc.authConfigs.disable("ac_github_demo");
  const created = await svc.authConfigs.ensure(github);
  expect(created).toMatchObject({ status: "ENABLED", is_svc_managed: true, toolkit: { slug: "github" } });
  expect(created.id).not.toBe("ac_github_demo");
  expect((await svc.authConfigs.ensure(github)).id).toBe(created.id);
});

test("a custom config is one of the same scheme, and of the same name if one is given", async () => {
  const { svc } = emulated();
  const unnamed = await svc.authConfigs.ensure({ ...github, auth_config: custom });
  expect(unnamed).toMatchObject({ is_svc_managed: false, auth_scheme: "OAUTH2" });
  const named = await svc.authConfigs.ensure({ ...github, auth_config: { ...custom, name: "ours" } });
  expect(named.name).toBe("ours");
  expect(named.id).not.toBe(unnamed.id);
  expect((await svc.authConfigs.ensure({ ...github, auth_config: { ...custom, name: "ours" } })).id).toBe(named.id);
  const bearer = { ...custom, authScheme: "BEARER_TOKEN" } as const;
  expect((await svc.authConfigs.ensure({ ...github, auth_config: bearer })).id).not.toBe(unnamed.id);
});

describe("without auth_config", () => {
  const custody = { ...github, auth_config: custom };

  test("the only enabled config is returned, even a custom one", async () => {
    const { svc } = emulated();
    await svc.authConfigs.delete("ac_github_demo");
    const { id } = await svc.authConfigs.ensure(custody);
    expect(await svc.authConfigs.ensure(github)).toMatchObject({ id, is_svc_managed: false });
    expect(await idsOf(svc)).toEqual([id]);
  });

  test("configs of several kinds are listed, and nothing is created", async () => {
    const { svc } = emulated();
    const { id } = await svc.authConfigs.ensure(custody);
    const error = await rejectionOf(ValidationError, svc.authConfigs.ensure(github));
    expect(error.message).toContain("authConfigs.ensure: github has several enabled auth configs: ");
    for (const listed of [`${id} (custom OAUTH2)`, "ac_github_demo (managed OAUTH2)"]) {
      expect(error.message).toContain(listed);
    }
    const managed = { ...github, auth_config: { type: "use_svc_managed_auth" } } as const;
    expect((await svc.authConfigs.ensure(managed)).id).toBe("ac_github_demo");
    expect(await idsOf(svc)).toHaveLength(2);
  });
});

test("a response to the creation that doesn't contain the config rejects, and says that it may exist", async () => {
  const answers = [Response.json({ items: [] }), Response.json({})];
  const svc = clientOf(async () => answers.shift() ?? expect.unreachable("one request too many"));
  const error = await rejectionOf(ResponseError, svc.authConfigs.ensure(github));
  expect(error).toMatchObject({ status: 200, outcome: "unknown" });
  expect(error.message).toMatch(/^authConfigs\.ensure: .*the body has no auth_config/);
});

test("of several that fit, the oldest is returned, whatever page it is on", async () => {
  const facts = { ...github, status: "ENABLED", is_svc_managed: true };
  const config = (id: string, created_at: string) => ({ ...facts, id, created_at });
  const pages = [
    Response.json({ items: [config("ac_2", "2026-02-01T00:00:00Z")], next_cursor: "c2" }),
    Response.json({ items: [config("ac_1", "2026-01-01T00:00:00Z")], next_cursor: null }),
  ];
  const svc = clientOf(async () => pages.shift() ?? expect.unreachable("one request too many"));
  expect((await svc.authConfigs.ensure(github)).id).toBe("ac_1");
});

test.each([
  ["default", { type: "use_svc_managed_auth" }],
  ["custom", custom],
] as const)("a %s config is found by its type, if it doesn't say who manages it", async (type, auth_config) => {
  const config = { ...github, id: "ac_1", status: "ENABLED", type, auth_scheme: "OAUTH2" };
  const other = { ...config, id: "ac_2", type: type === "custom" ? "default" : "custom" };
  const answers = [Response.json({ items: [other, config] }), Response.json({ items: [other, config] })];
  const svc = clientOf(async () => answers.shift() ?? expect.unreachable("one request too many"));
  expect((await svc.authConfigs.ensure({ ...github, auth_config })).id).toBe("ac_1");
  const error = await rejectionOf(ValidationError, svc.authConfigs.ensure(github));
  for (const listed of ["(custom OAUTH2)", "(managed OAUTH2)"]) expect(error.message).toContain(listed);
});

test.each([undefined, {}, { toolkit: "slack" }, { toolkit: ["slack"] }, { toolkit: {} }, { toolkit: { slug: "" } }])(
  "without the slug of a toolkit, nothing is sent: %j",
  async (body) => {
    const { svc, emulator } = emulated();
    // @ts-expect-error The type requires the slug.
    const error = await rejectionOf(ValidationError, svc.authConfigs.ensure(body));
    expect(error.message).toBe('authConfigs.ensure: the body must name a toolkit: { toolkit: { slug: "github" } }.');
    expect(emulator.requests).toEqual([]);
  },
);

test("a config of another toolkit isn't returned, whatever the list contains", async () => {
  const { svc } = emulated();
  const both = { toolkit: { slug: "slack,github" } };
  expect((await svc.authConfigs.list({ toolkit_slug: both.toolkit.slug })).items).not.toEqual([]);
  await rejectionOf(NotFoundError, svc.authConfigs.ensure(both));
});

test("a config that doesn't say its toolkit isn't returned", async () => {
  const config = { ...github, id: "ac_new", status: "ENABLED", is_svc_managed: true };
  const answers = [
    Response.json({ items: [{ ...config, id: "ac_odd", toolkit: undefined }] }),
    Response.json({ toolkit: github.toolkit, auth_config: { id: "ac_new" } }),
    Response.json(config),
  ];
  const svc = clientOf(async () => answers.shift() ?? expect.unreachable("one request too many"));
  expect((await svc.authConfigs.ensure(github)).id).toBe("ac_new");
});

test("a failure names ensure, and the request as its operation", async () => {
  const { svc } = emulated();
  const wrong = { ...github, auth_config: { ...custom, authScheme: "API_KEY" } } as const;
  const error = await rejectionOf(BadRequestError, svc.authConfigs.ensure(wrong));
  expect(error.message).toMatch(/^authConfigs\.ensure: 400 Toolkit github does not support API_KEY/);
  expect(error.operation).toBe("authConfigs.create");
});
