import { describe, expect, test } from "vitest";
import { ApiError, type Svc } from "../../../src/index.js";
import { rejectionOf } from "../../support/client.js";
import { longTest } from "../../support/size.js";
import { FRONTS } from "../fronts.js";

const repository = { owner: "octo-org", repo: "hello-world" };

const upsert = (svc: Svc, trigger_config: Readonly<Record<string, unknown>> = repository) =>
  svc.triggers.upsert("GITHUB_NEW_ISSUE", { user_id: "user-4711", trigger_config });

describe.each(FRONTS)("trigger types, %s", (_, open) => {
  test("are omitted if the toolkit doesn't have the version, like tools", async () => {
    const { svc } = await open();
    const of = async (toolkit_versions: string | Record<string, string>) =>
      (await svc.triggers.listTypes({ toolkit_versions })).items.map(({ slug, version }) => `${slug} ${version}`);
    const inGithub = ["GITHUB_COMMIT_EVENT 20250905_00", "GITHUB_NEW_ISSUE 20250905_00"];
    expect(await of("20250905_00")).toEqual(inGithub);
    expect(await of("zzz")).toEqual([]);
    expect(await of({ github: "20250905_00", slack: "zzz" })).toEqual(inGithub);
    expect((await svc.tools.list({ toolkit_versions: "20250905_00" })).items).not.toEqual([]);
    const one = svc.triggers.getType("SLACK_NEW_MESSAGE", { toolkit_versions: "20250905_00" });
    expect((await rejectionOf(ApiError, one)).status).toBe(404);
  });
});

describe.each(FRONTS)("a trigger, %s", (_, open) => {
  test("returns 410 for a user whose only account is expired, like an execution", async () => {
    const { svc } = await open();
    const expired = svc.triggers.upsert("GITHUB_NEW_ISSUE", { user_id: "user-expired", trigger_config: repository });
    expect(await rejectionOf(ApiError, expired)).toMatchObject({ status: 410 });
  });

  test("is the same with and without its type's defaults", async () => {
    const { svc } = await open();
    const { trigger_id } = await upsert(svc);
    expect((await upsert(svc, { ...repository, interval: 15 })).trigger_id).toBe(trigger_id);
    expect((await upsert(svc, { ...repository, interval: 30 })).trigger_id).not.toBe(trigger_id);
    const { items } = await svc.triggers.listActive({ trigger_ids: [trigger_id] });
    expect(items.map(({ trigger_config }) => trigger_config)).toEqual([{ ...repository, interval: 15 }]);
  });

  test("leaves only its id after deletion", async () => {
    const { svc, emulator } = await open();
    const { trigger_id } = await upsert(svc);
    await svc.triggers.delete(trigger_id);
    expect((await rejectionOf(ApiError, svc.triggers.disable(trigger_id))).status).toBe(410);
    expect(emulator.snapshot()).toMatchObject({ triggers: [], deletedTriggers: { ids: [trigger_id] } });
    expect(() => emulator.triggers.fire(trigger_id, {})).toThrow("it was deleted");
  });
});

longTest("keeps the ids of the last 1000 deleted triggers", async () => {
  const open = FRONTS[0]?.[1];
  if (!open) throw new Error("There is no front.");
  const { svc, emulator } = await open({ rateLimit: { limit: 10_000 } });
  const first = await upsert(svc);
  await svc.triggers.delete(first.trigger_id);
  for (let count = 0; count < 1_000; count += 1) await svc.triggers.delete((await upsert(svc)).trigger_id);
  expect((await rejectionOf(ApiError, svc.triggers.disable(first.trigger_id))).status).toBe(404);
  expect(emulator.snapshot()).toMatchObject({ deletedTriggers: { ids: { length: 1_000 } } });
});
