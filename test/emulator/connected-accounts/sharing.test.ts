import { describe, expect, test } from "vitest";
import { FRONTS, type Front } from "../fronts.js";
import { refusal, seed } from "./support.js";

async function shared({ svc }: Front, acl?: Readonly<Record<string, boolean | string[]>>): Promise<string> {
  const { id } = await svc.connectedAccounts.create({
    auth_config: { id: "ac_weather" },
    connection: {
      user_id: "owner",
      state: { authScheme: "API_KEY", val: { status: "ACTIVE", generic_api_key: "wk_shared" } },
      experimental: { account_type: "SHARED", ...(acl && { acl_config_for_shared: acl }) },
    },
  });
  return id;
}

const run = ({ svc }: Front, connected_account_id: string, user_id: string) =>
  svc.tools.execute("WEATHERMAP_WEATHER", {
    connected_account_id,
    user_id,
    arguments: { city: "Oslo" },
    version: "latest",
  });

describe.each(FRONTS)("shared accounts, %s", (_, openFront) => {
  const open = () => openFront({ seed });

  test("can be used only by their creator without an ACL", async () => {
    const front = await open();
    const id = await shared(front);
    expect(await run(front, id, "owner")).toMatchObject({ successful: true });
    expect(await refusal(run(front, id, "guest"))).toMatchObject({
      status: 400,
      code: 1812,
      slug: "ActionExecute_ConnectedAccountEntityIdMismatch",
    });
    const account = await front.svc.connectedAccounts.get(id);
    expect(account.experimental).toEqual({
      account_type: "SHARED",
      acl_config_for_shared: { allow_all_users: false, allowed_user_ids: [], not_allowed_user_ids: [] },
    });
  });

  test("can be used by the ACL's users, except excluded ones", async () => {
    const front = await open();
    const id = await shared(front, { allow_all_users: true, not_allowed_user_ids: ["mallory"] });
    expect(await run(front, id, "guest")).toMatchObject({ successful: true });
    expect(await refusal(run(front, id, "mallory"))).toMatchObject({ code: 1812 });
  });

  test("get a new ACL with an update", async () => {
    const front = await open();
    const id = await shared(front, { allow_all_users: true });
    await front.svc.connectedAccounts.update(id, {
      experimental: { acl_config_for_shared: { allowed_user_ids: ["friend"] } },
    });
    expect(await run(front, id, "friend")).toMatchObject({ successful: true });
    expect(await refusal(run(front, id, "guest"))).toMatchObject({ code: 1812 });
  });

  test("are used only if the call names them", async () => {
    const front = await open();
    await shared(front, { allow_all_users: true });
    const call = front.svc.tools.execute("WEATHERMAP_WEATHER", {
      user_id: "guest",
      arguments: { city: "Oslo" },
      version: "latest",
    });
    expect(await refusal(call)).toMatchObject({ status: 404, code: 1810 });
  });

  test("can't be used by others while private", async () => {
    const front = await open();
    expect(await refusal(run(front, "ca_weather", "guest"))).toMatchObject({ status: 400, code: 1812 });
  });

  test("are listed on request, to users who may use them", async () => {
    const front = await open();
    const id = await shared(front, { allowed_user_ids: ["friend"] });
    const idsOf = async (query: Parameters<typeof front.svc.connectedAccounts.list>[0]) =>
      (await front.svc.connectedAccounts.list(query)).items.map((account) => account.id);
    expect(await idsOf({})).not.toContain(id);
    expect(await idsOf({ account_type: "SHARED" })).toEqual([id]);
    expect(await idsOf({ account_type: "ALL" })).toContain("ca_weather");
    expect(await idsOf({ account_type: "ALL", user_ids: ["friend"] })).toEqual([id]);
    expect(await idsOf({ account_type: "ALL", user_ids: ["guest"] })).toEqual([]);
  });
});

describe.each(FRONTS)("connectedAccounts.list, %s", (_, openFront) => {
  test("applies filters, newest first by default", async () => {
    const front = await openFront({ seed });
    const idsOf = async (query: Parameters<typeof front.svc.connectedAccounts.list>[0]) =>
      (await front.svc.connectedAccounts.list(query)).items.map(({ id }) => id);
    expect(await idsOf({ user_ids: ["ada"], order_direction: "asc" })).toEqual(["ca_github", "ca_slack", "ca_weather"]);
    expect(await idsOf({ toolkit_slugs: ["slack"], statuses: ["ACTIVE"] })).toEqual(["ca_slack"]);
    expect(await idsOf({ auth_config_ids: ["ac_weather"] })).toEqual(["ca_gone", "ca_weather"]);
    expect(await idsOf({ connected_account_ids: ["ca_dead", "ca_none"] })).toEqual(["ca_dead"]);
    front.emulator.clock.advance("1m");
    await front.svc.connectedAccounts.update("ca_github", { alias: "first" });
    expect((await idsOf({ order_by: "updated_at" }))[0]).toBe("ca_github");
  });

  test("returns consecutive pages", async () => {
    const { svc } = await openFront({ seed });
    const seen: string[] = [];
    for await (const { id } of svc.connectedAccounts.list({ limit: 2 })) seen.push(id);
    expect(seen).toHaveLength(6);
    expect(new Set(seen).size).toBe(6);
  });
});
