import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import { BadRequestError, MissingCredentialError, NotFoundError, Svc } from "../../../src/index.js";
import { emulated, rejectionOf } from "../../support/client.js";

const KEY = "ak_emulator";
const user = { user_id: "user-4711" };

describe("a session's handle", () => {
  test("belongs to the session: its calls pass neither session nor user", async () => {
    const { emulator, svc } = emulated();
    const session = await svc.toolRouter.create({ ...user, toolkits: { enable: ["weathermap"] } });
    const run = await session.execute({ tool_slug: "WEATHERMAP_WEATHER", arguments: { city: "Lisbon" } });
    expect(run.error).toBeNull();
    expect(emulator.requests.at(-1)?.path).toBe(`/api/v3.1/tool_router/session/${session.id}/execute`);
    expect(session.record).toMatchObject({ session_id: session.id, config: user });
  });

  test("of a known id works without requesting the record", async () => {
    const { emulator, svc } = emulated();
    const { id } = await svc.toolRouter.create(user);
    const before = emulator.requests.length;
    const handle = svc.toolRouter.use(id);
    expect(emulator.requests.length).toBe(before);
    const found = await handle.search({ queries: [{ use_case: "open an issue in a repository" }] });
    expect(found.results[0]?.primary_tool_slugs).toContain("GITHUB_CREATE_AN_ISSUE");
    expect((await handle.get()).mcp.url).toContain(id);
  });

  test("doesn't change when an update returns a new one", async () => {
    const { svc } = emulated();
    const session = await svc.toolRouter.create({ ...user, toolkits: { enable: ["github"] } });
    const before = structuredClone(session.record);
    const { data: updated, meta } = await session.update({ toolkits: { enable: ["slack"] } }).withResponse();
    expect(meta.operation).toBe("toolRouter.update");
    expect(updated.id).toBe(session.id);
    expect(updated.record.config.toolkits).not.toEqual(before.config.toolkits);
    expect(session.record).toEqual(before);
  });

  test("deletes the session at the end of its block with `await using`, unless it was deleted already", async () => {
    const { emulator, svc } = emulated();
    const ids: string[] = [];
    const deletions = () => emulator.requests.filter(({ method }) => method === "DELETE").map(({ status }) => status);
    {
      await using session = await svc.toolRouter.create(user);
      await using deleted = await svc.toolRouter.create(user);
      ids.push(session.id, deleted.id);
      await deleted.delete();
    }
    expect(deletions()).toEqual([200, 404, 200]);
    for (const id of ids) await rejectionOf(NotFoundError, svc.toolRouter.get(id));
  });

  test("keeps files in its mount", async () => {
    const { emulator, svc } = emulated();
    const mount = (await svc.toolRouter.create(user)).mounts();
    const { upload_url } = await mount.uploadUrl({ mount_relative_path: "notes.txt", mimetype: "text/plain" });
    await emulator.fetch(upload_url, { method: "PUT", headers: { "content-type": "text/plain" }, body: "It rains." });
    const names: string[] = [];
    for await (const item of mount.items()) names.push(`${item.mount_relative_path} ${item.size}`);
    expect(names).toEqual(["notes.txt 9"]);
    const { download_url } = await mount.downloadUrl({ mount_relative_path: "notes.txt" });
    expect(await (await emulator.fetch(download_url)).text()).toBe("It rains.");
  });
});

describe("a session's MCP endpoint", () => {
  test("includes the header with the key", async () => {
    const { emulator, svc } = emulated();
    const { mcp } = await svc.toolRouter.create(user);
    const list = (headers: Readonly<Record<string, string>>) =>
      emulator.fetch(mcp.url, {
        method: "POST",
        headers: { ...headers, "content-type": "application/json", accept: "application/json, text/event-stream" },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
      });
    expect(mcp.headers).toEqual({ "x-api-key": KEY });
    expect((await list(mcp.headers)).status).toBe(200);
    expect((await list({})).status).toBe(401);
  });

  test("shows no key when it's printed, serialized, copied or compared", async () => {
    const { svc } = emulated();
    const session = await svc.toolRouter.create(user);
    for (const value of [session, session.mcp, { session, mcp: session.mcp }]) {
      const seen = [
        inspect(value, { depth: 10, showHidden: true }),
        JSON.stringify(value),
        JSON.stringify({ ...value }),
        JSON.stringify(Object.assign({}, value)),
        inspect(Object.entries(value), { depth: 10 }),
        `${String(value)}`,
        inspect(structuredClone({ ...session.mcp })),
      ];
      expect(seen.filter((text) => text.includes(KEY))).toEqual([]);
    }
    expect(Object.keys(session.mcp)).not.toContain("headers");
  });

  test("requires the project key, and rejects a client without one before anything is sent", async () => {
    const { emulator } = emulated();
    const keyless = new Svc({ ...emulator.connection, apiKey: undefined, env: {} });
    const missing = await rejectionOf(MissingCredentialError, keyless.toolRouter.create(user));
    expect(missing.message).toContain("SVC_API_KEY");
    expect(emulator.requests).toEqual([]);
  });
});

describe("a meta tool", () => {
  const search = { queries: [{ use_case: "open an issue" }] };

  test("called outside of a session rejects with its own condition", async () => {
    const { svc } = emulated();
    const call = svc.tools.execute("SVC_SEARCH_TOOLS", { ...user, version: "latest", arguments: search });
    const error = await rejectionOf(BadRequestError, call);
    expect(error.condition).toBe("session_only_tool");
    expect(error.message).toContain("can only be called inside a tool-router session");
    expect(error.message).toContain("agent session");
  });

  test("called in a session runs", async () => {
    const { svc } = emulated();
    const session = await svc.toolRouter.create(user);
    const found = await session.executeMeta({ slug: "SVC_SEARCH_TOOLS", arguments: search });
    expect(found.error).toBeNull();
    expect(JSON.stringify(found.data)).toContain("GITHUB_CREATE_AN_ISSUE");
  });
});
