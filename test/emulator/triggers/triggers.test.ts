import { describe, expect, test } from "vitest";
import { refusal, seed } from "../connected-accounts/support.js";
import { FRONTS, type Front } from "../fronts.js";

const repository = { owner: "octo-org", repo: "hello-world" };

const upsert = ({ svc }: Front, trigger_config: Readonly<Record<string, unknown>> = repository) =>
  svc.triggers.upsert("GITHUB_COMMIT_EVENT", { connected_account_id: "ca_github", trigger_config });

describe.each(FRONTS)("trigger types, %s", (_, openFront) => {
  const open = () => openFront({ seed });

  test("are listed with their schemas, and by toolkit", async () => {
    const { svc } = await open();
    const { items } = await svc.triggers.listTypes({ toolkit_slugs: ["github"] });
    expect(items.map(({ slug, type }) => [slug, type])).toEqual([
      ["GITHUB_COMMIT_EVENT", "webhook"],
      ["GITHUB_NEW_ISSUE", "poll"],
    ]);
    expect(items[0]).toMatchObject({ config: { required: ["owner", "repo"] }, version: "20251023_00" });
    expect(await svc.triggers.listTypeSlugs()).toEqual([
      "GITHUB_COMMIT_EVENT",
      "GITHUB_NEW_ISSUE",
      "SLACK_NEW_MESSAGE",
      "SLACK_APP_MENTION",
    ]);
    expect(await svc.toolkits.get("github")).toMatchObject({ meta: { triggers_count: 2 } });
  });

  test("are found in any case, in a version of the toolkit", async () => {
    const { svc } = await open();
    const versions = { toolkit_versions: { github: "20250905_00" } };
    expect(await svc.triggers.getType("github_commit_event", versions)).toMatchObject({
      slug: "GITHUB_COMMIT_EVENT",
      version: "20250905_00",
    });
    expect(await refusal(svc.triggers.getType("GITHUB_NOTHING"))).toMatchObject({
      status: 404,
      slug: "TriggerType_ResourceNotFound",
    });
    expect(
      await refusal(svc.triggers.getType("GITHUB_COMMIT_EVENT", { toolkit_versions: "20200101_00" })),
    ).toMatchObject({ status: 404 });
  });
});

describe.each(FRONTS)("triggers.upsert, %s", (_, openFront) => {
  const open = () => openFront({ seed });

  test("returns 201 first, then 200 with the same instance, whatever the order of the fields", async () => {
    const front = await open();
    const first = await upsert(front).withResponse();
    const again = await upsert(front, { repo: "hello-world", owner: "octo-org" }).withResponse();
    expect([first.meta.status, again.meta.status]).toEqual([201, 200]);
    expect(again.data.trigger_id).toBe(first.data.trigger_id);
    const other = await upsert(front, { owner: "octo-org", repo: "other" });
    expect(other.trigger_id).not.toBe(first.data.trigger_id);
  });

  test("enables a disabled instance", async () => {
    const front = await open();
    const { trigger_id } = await upsert(front);
    await front.svc.triggers.disable(trigger_id);
    await upsert(front);
    const { items } = await front.svc.triggers.listActive();
    expect(items.map(({ id, disabled_at }) => [id, disabled_at])).toEqual([[trigger_id, null]]);
  });

  test("uses the user's first active account of the toolkit, with a slug in any case", async () => {
    const { svc } = await open();
    await svc.triggers.upsert("github_commit_event", { user_id: "ada", triggerConfig: repository });
    const { items } = await svc.triggers.listActive();
    expect(items).toMatchObject([
      {
        connected_account_id: "ca_github",
        connectedAccountId: "ca_github",
        user_id: "ada",
        trigger_name: "GITHUB_COMMIT_EVENT",
        trigger_config: repository,
        version: "20251023_00",
      },
    ]);
    expect(await refusal(svc.triggers.upsert("GITHUB_COMMIT_EVENT", { user_id: "nobody" }))).toMatchObject({
      status: 404,
    });
  });

  test("validates the configuration against the type's schema", async () => {
    const front = await open();
    expect(await refusal(upsert(front, { owner: "octo-org" }))).toMatchObject({
      status: 400,
      code: 1213,
      slug: "TriggerInstance_PollingConfigInvalid",
      errors: ["body.trigger_config.repo: expected a string, received missing"],
    });
    expect(await refusal(upsert(front, { owner: 7, repo: "r" }))).toMatchObject({ code: 1213 });
  });

  test("limits polling to every 15 minutes with managed credentials, and to every minute with your own", async () => {
    const { svc } = await open();
    const { id } = await svc.connectedAccounts.create({
      auth_config: { id: "ac_github_own" },
      connection: {
        user_id: "bob",
        state: { authScheme: "OAUTH2", val: { status: "ACTIVE", access_token: "gho_1", refresh_token: "ghr_1" } },
      },
    });
    const poll = (connected_account_id: string, interval: number) =>
      svc.triggers.upsert("GITHUB_NEW_ISSUE", {
        connected_account_id,
        trigger_config: { ...repository, interval },
      });
    expect(await refusal(poll("ca_github", 5))).toMatchObject({
      status: 400,
      code: 1213,
      message: expect.stringContaining("at least 15 minutes"),
    });
    expect(await poll("ca_github", 15)).toHaveProperty("trigger_id");
    expect(await poll(id, 1)).toHaveProperty("trigger_id");
    expect(await refusal(poll(id, 0.5))).toMatchObject({ code: 1213 });
  });

  test("requires an existing, usable account of the toolkit", async () => {
    const { svc } = await open();
    const on = (body: Parameters<typeof svc.triggers.upsert>[1]) =>
      refusal(svc.triggers.upsert("GITHUB_COMMIT_EVENT", { trigger_config: repository, ...body }));
    expect(await on({})).toMatchObject({ status: 400, errors: ["body: expected connected_account_id or user_id"] });
    expect(await on({ connected_account_id: "ca_none" })).toMatchObject({ status: 404, code: 606 });
    expect(await on({ connected_account_id: "ca_slack" })).toMatchObject({ status: 400 });
    expect(await on({ connectedAuthId: "ca_dead" })).toMatchObject({ status: 410 });
    await svc.connectedAccounts.disable("ca_github");
    expect(await on({ connected_account_id: "ca_github" })).toMatchObject({ status: 422 });
    expect(await refusal(svc.triggers.upsert("GITHUB_NOTHING", { user_id: "ada" }))).toMatchObject({ status: 404 });
  });

  test("rejects a type that needs a webhook endpoint until one is set up", async () => {
    const { svc } = await open();
    const mention = () => svc.triggers.upsert("SLACK_APP_MENTION", { connected_account_id: "ca_slack" });
    expect(await refusal(mention())).toMatchObject({
      status: 400,
      message: "SLACK_APP_MENTION needs a webhook endpoint for slack",
    });
    const { id } = await svc.webhookEndpoints.create({ toolkit_slug: "slack", client_id: "app-1" });
    expect(await refusal(mention())).toMatchObject({ status: 400 });
    await svc.webhookEndpoints.update(id, { data: { signing_secret: "s3cret" } });
    expect(await mention()).toHaveProperty("trigger_id");
  });
});

describe.each(FRONTS)("trigger instances, %s", (_, openFront) => {
  const open = () => openFront({ seed });

  test("are disabled and enabled, with a conflict if they already are", async () => {
    const front = await open();
    const { triggers } = front.svc;
    const { trigger_id } = await upsert(front);
    const conflict = { status: 409, slug: "TriggerInstance_Conflict" };
    expect(await refusal(triggers.enable(trigger_id))).toMatchObject(conflict);
    expect(await triggers.disable(trigger_id)).toEqual({ status: "success" });
    expect(await refusal(triggers.disable(trigger_id))).toMatchObject(conflict);
    expect((await triggers.listActive()).items).toEqual([]);
    expect((await triggers.listActive({ show_disabled: true })).items).toMatchObject([
      { id: trigger_id, disabled_at: "2026-01-01T00:00:00.000Z", disabledAt: "2026-01-01T00:00:00.000Z" },
    ]);
    await triggers.enable(trigger_id);
    expect((await triggers.listActive()).items).toHaveLength(1);
    expect(front.emulator.events).toEqual([]);
  });

  test("return 410 after deletion", async () => {
    const front = await open();
    const { triggers } = front.svc;
    const { trigger_id } = await upsert(front);
    expect(await triggers.delete(trigger_id)).toEqual({ trigger_id });
    for (const call of [triggers.delete(trigger_id), triggers.enable(trigger_id), triggers.disable(trigger_id)]) {
      expect(await refusal(call)).toMatchObject({ status: 410, slug: "TriggerInstance_Deleted" });
    }
    expect((await triggers.listActive({ show_disabled: true })).items).toEqual([]);
    expect((await upsert(front)).trigger_id).not.toBe(trigger_id);
    expect(await refusal(triggers.delete("ti_none"))).toMatchObject({ status: 404 });
    expect(await refusal(triggers.delete("none"))).toMatchObject({ status: 400 });
  });

  test("are filtered by every filter, including deprecated ones", async () => {
    const front = await open();
    const { trigger_id } = await upsert(front);
    await front.svc.triggers.upsert("SLACK_NEW_MESSAGE", { connected_account_id: "ca_slack" });
    const [item] = (await front.svc.triggers.listActive({ trigger_ids: [trigger_id] })).items;
    const { items: configs } = await front.svc.authConfigs.list({ search: "ac_github" });
    const uuid = configs.find(({ id }) => id === "ac_github")?.uuid ?? "";
    const filters: Parameters<typeof front.svc.triggers.listActive>[0][] = [
      { connected_account_ids: ["ca_github"] },
      { connectedAccountIds: ["ca_github"] },
      { auth_config_ids: ["ac_github"] },
      { authConfigIds: ["ac_github"] },
      { triggerIds: [trigger_id] },
      { trigger_names: ["github_commit_event"] },
      { triggerNames: ["GITHUB_COMMIT_EVENT"] },
      { deprecatedConnectedAccountUuids: [item?.connected_account_uuid ?? ""] },
      { deprecatedAuthConfigUuids: [uuid] },
    ];
    for (const filter of filters) {
      const { items } = await front.svc.triggers.listActive(filter);
      expect(items.map(({ id }) => id)).toEqual([trigger_id]);
    }
    expect((await front.svc.triggers.listActive({ user_ids: ["ada"] })).items).toHaveLength(2);
    expect((await front.svc.triggers.listActive({ user_ids: ["eve"] })).items).toEqual([]);
    await front.svc.triggers.disable(trigger_id);
    expect((await front.svc.triggers.listActive({ showDisabled: true })).items).toHaveLength(2);
  });
});
