import { describe, expect, test } from "vitest";
import { mismatchesOf } from "../../../src/contract/check-shape.js";
import { EventV3 } from "../../../src/resources/events/schema.js";
import { eventTypes, refusal, seed } from "../connected-accounts/support.js";
import { FRONTS, type Front } from "../fronts.js";

const commit = { id: "c0ffee", message: "Fix", author: "ada" };

async function commitTrigger({ svc }: Front): Promise<string> {
  const trigger_config = { owner: "octo-org", repo: "hello-world" };
  const body = { connected_account_id: "ca_github", trigger_config };
  return (await svc.triggers.upsert("GITHUB_COMMIT_EVENT", body)).trigger_id;
}

describe.each(FRONTS)("events, %s", (_, openFront) => {
  const open = () => openFront({ seed });

  test("contain a fired trigger's message, with legacy ids for older formats", async () => {
    const front = await open();
    const id = await commitTrigger(front);
    const [instance] = (await front.svc.triggers.listActive()).items;
    const event = front.emulator.triggers.fire(id, commit);
    expect(front.emulator.events).toEqual([event]);
    expect(event).toEqual({
      id: expect.stringMatching(/^msg_[\da-f-]{36}$/),
      timestamp: "2026-01-01T00:00:00.000Z",
      type: "svc.trigger.message",
      metadata: {
        log_id: expect.stringMatching(/^log_/),
        trigger_slug: "GITHUB_COMMIT_EVENT",
        trigger_id: id,
        connected_account_id: "ca_github",
        auth_config_id: "ac_github",
        user_id: "ada",
      },
      data: commit,
      legacy: { triggerUuid: instance?.uuid, connectionUuid: instance?.connected_account_uuid },
    });
  });

  test("aren't fired for an unknown, disabled, or deleted trigger, or an invalid payload", async () => {
    const front = await open();
    const id = await commitTrigger(front);
    const fire = (payload: Record<string, unknown> = commit, trigger = id) =>
      front.emulator.triggers.fire(trigger, payload);
    expect(() => fire({ id: "c0ffee" })).toThrow("the payload doesn't match GITHUB_COMMIT_EVENT");
    expect(() => fire(commit, "ti_none")).toThrow("unknown trigger instance. triggers.upsert returns its id.");
    await front.svc.triggers.disable(id);
    expect(() => fire()).toThrow("it is disabled");
    await front.svc.triggers.delete(id);
    expect(() => fire()).toThrow("it was deleted");
    expect(front.emulator.events).toEqual([]);
  });

  test("are stopped by an expired account until it reconnects, unless the caller disabled the trigger", async () => {
    const front = await open();
    const id = await commitTrigger(front);
    const { trigger_id: own } = await front.svc.triggers.upsert("GITHUB_NEW_ISSUE", {
      connected_account_id: "ca_github",
      trigger_config: { owner: "octo-org", repo: "hello-world" },
    });
    await front.svc.triggers.disable(own);
    front.emulator.accounts.expire("ca_github");
    expect(eventTypes(front)).toEqual(["svc.connected_account.expired", "svc.trigger.disabled"]);
    expect(front.emulator.events[1]).toMatchObject({
      id: expect.stringMatching(/^evt_/),
      metadata: { project_id: "pr_emulator" },
      data: { id, connected_account_id: "ca_github", user_id: "ada", disabled_reason: "connection_expired" },
    });
    expect(await refusal(front.svc.triggers.enable(id))).toMatchObject({ status: 400 });

    const { redirect_url } = await front.svc.connectedAccounts.refresh("ca_github");
    await front.raw("GET", new URL(`${redirect_url}?outcome=success`).href.slice(front.baseUrl.length));
    const enabled = (await front.svc.triggers.listActive()).items.map((trigger) => trigger.id);
    expect(enabled).toEqual([id]);
  });

  test("aren't emitted if the caller disables an account, whose triggers stay disabled", async () => {
    const front = await open();
    const id = await commitTrigger(front);
    await front.svc.connectedAccounts.disable("ca_github");
    await front.svc.connectedAccounts.enable("ca_github");
    expect((await front.svc.triggers.listActive()).items).toEqual([]);
    expect(front.emulator.events).toEqual([]);
    expect(await front.svc.triggers.enable(id)).toEqual({ status: "success" });
  });

  test("end with a deleted account, whose triggers are deleted", async () => {
    const front = await open();
    const id = await commitTrigger(front);
    await front.svc.connectedAccounts.delete("ca_github");
    expect((await front.svc.triggers.listActive({ show_disabled: true })).items).toEqual([]);
    expect(await refusal(front.svc.triggers.delete(id))).toMatchObject({ status: 410 });
  });

  test("have the documented shape and the session's project", async () => {
    const front = await open();
    const id = await commitTrigger(front);
    front.emulator.triggers.fire(id, commit);
    front.emulator.accounts.expire("ca_github");
    const { redirect_url } = await front.svc.connectedAccounts.refresh("ca_github");
    await front.raw("GET", `${redirect_url}?outcome=success`.slice(front.baseUrl.length));
    expect(eventTypes(front)).toEqual([
      "svc.trigger.message",
      "svc.connected_account.expired",
      "svc.trigger.disabled",
      "svc.connected_account.activated",
    ]);
    for (const event of front.emulator.events) expect(mismatchesOf(EventV3, event)).toEqual([]);
    const { project } = await front.svc.session.info();
    expect(front.emulator.events[1]?.metadata).toEqual({ project_id: project?.nano_id, org_id: project?.org_id });
  });
});
