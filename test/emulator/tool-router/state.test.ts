import { expect, test } from "vitest";
import { NotFoundError } from "../../../src/index.js";
import { rejectionOf } from "../../support/client.js";
import { type Front, inProcess } from "./fronts.js";

/** Something of everything that these operations change. */
async function fill({ svc, fetch }: Front) {
  const session = await svc.toolRouter.create({ user_id: "user-4711" });
  await session.execute({ tool_slug: "TEXTKIT_REVERSE", arguments: { text: "ab" } });
  const { upload_url } = await session.mounts().uploadUrl({ mount_relative_path: "a.txt" });
  await fetch(upload_url, { method: "PUT", body: "a" });
  const server = await svc.mcp.create({ name: "My server", auth_config_ids: ["ac_github_demo"] });
  await svc.mcp.createInstance(server.id, { user_id: "user-4711" });
  const project = await svc.projects.create({ name: "second", should_create_api_key: true });
  await svc.projects.updateConfig({ display_name: "Changed" });
  return { session, server, project };
}

async function look({ svc }: Front, { session, server, project }: Awaited<ReturnType<typeof fill>>) {
  return {
    session: (await session.get()).record,
    items: (await session.mounts().items()).items,
    logs: (await svc.logs.listToolExecutions()).logs,
    server: await svc.mcp.get(server.id),
    instances: await svc.mcp.listInstances(server.id),
    project: await svc.projects.get(project.id),
    config: await svc.projects.getConfig(),
  };
}

test("snapshots and restores sessions, mounts, logs, servers, projects, and keys", async () => {
  const front = inProcess();
  const made = await fill(front);
  const before = await look(front, made);
  const snapshot = JSON.parse(JSON.stringify(front.emulator.snapshot()));
  front.emulator.reset();
  await rejectionOf(NotFoundError, made.session.get());
  await rejectionOf(NotFoundError, front.svc.mcp.get(made.server.id));
  await rejectionOf(NotFoundError, front.svc.projects.get(made.project.id));
  expect((await front.svc.logs.listToolExecutions()).logs).toEqual([]);
  expect((await front.svc.projects.getConfig()).display_name).toBe("emulator");
  front.emulator.restore(snapshot);
  expect(await look(front, made)).toEqual(before);
  expect((await front.clientWith(made.project.api_key ?? "").toolkits.list()).items).not.toEqual([]);
});

test("returns equal responses from two equal emulators", async () => {
  const [one, other] = [inProcess({ idSeed: 1 }), inProcess({ idSeed: 1 })];
  expect(await look(one, await fill(one))).toEqual(await look(other, await fill(other)));
});
