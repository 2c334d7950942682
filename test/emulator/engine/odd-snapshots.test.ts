import { afterAll, expect, test } from "vitest";
import { operations } from "../../../src/contract/index.js";
import { createEmulator, type Emulator, type Snapshot } from "../../../src/emulator/index.js";
import { ConfigError, Svc } from "../../../src/index.js";
import { sized } from "../../support/size.js";

/** A snapshot with records of every kind, and the paths of GETs that show them. */
async function livedIn(emulator: Emulator): Promise<{ snapshot: Snapshot; paths: readonly string[] }> {
  const svc = new Svc({ ...emulator.connection, maxRetries: 0 });
  const trigger = await svc.triggers.upsert("GITHUB_COMMIT_EVENT", {
    connected_account_id: "ca_github_demo",
    trigger_config: { owner: "octo-org", repo: "hello-world" },
  });
  const subscription = await svc.webhookSubscriptions.create({
    webhook_url: "https://app.example/events",
    enabled_events: ["svc.trigger.message"],
  });
  const endpoint = await svc.webhookEndpoints.create({ toolkit_slug: "slack", client_id: "client-1" });
  const session = await svc.toolRouter.create({ user_id: "user-4711" });
  await session.mounts().uploadUrl({ mount_relative_path: "a.txt" });
  await (await svc.toolRouter.create({ user_id: "user-4711" })).delete();
  const server = await svc.mcp.create({ name: "Code server", auth_config_ids: ["ac_github_demo"] });
  const instance = await svc.mcp.createInstance(server.id, { user_id: "user-4711" });
  const project = await svc.projects.create({ name: "second-project" });
  await svc.connectedAccounts.link({ auth_config_id: "ac_github_demo", user_id: "user-new" });
  await svc.files.requestUpload({
    toolkit_slug: "drive",
    tool_slug: "DRIVE_UPLOAD_FILE",
    filename: "a.txt",
    mimetype: "text/plain",
    md5: "0".repeat(32),
  });
  emulator.tools.stub("TEXTKIT_REVERSE", { text: "stub" });
  const run = await svc.tools.execute("TEXTKIT_REVERSE", { user_id: "u", version: "latest", arguments: { text: "a" } });
  emulator.catalog.publish("github", "20260101_00", { tools: { GITHUB_GET_AN_ISSUE: { isDeprecated: true } } });
  emulator.faults.next("tools.proxy", { status: 503 });
  emulator.triggers.fire(trigger.trigger_id, { id: "c1", message: "m", author: "a" });
  const ids: Readonly<Record<string, string>> = {
    nanoid: "ca_github_demo",
    nanoId: "ca_github_demo",
    nano_id: project.id,
    slug: "github",
    tool_slug: "GITHUB_GET_AN_ISSUE",
    triggerId: trigger.trigger_id,
    id: subscription.id,
    session_id: session.id,
    mount_id: "files",
    appKey: "github",
    serverId: server.id,
    instanceId: instance.id,
    entity_type: "tool_calls",
    apiVersion: "v3.1",
  };
  const paths = operations
    .filter(({ endpoint: { method } }) => method === "GET")
    .map(({ endpoint: { path } }) => path.replace(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? name));
  const others = [
    "/auth_configs/ac_github_demo",
    `/webhook_endpoints/${endpoint.id}`,
    `/logs/tool_execution/${run.log_id}`,
  ];
  return {
    snapshot: JSON.parse(JSON.stringify(emulator.snapshot())),
    paths: [...new Set([...paths, ...others.map((path) => `/api/v3.1${path}`)])],
  };
}

/** Values that few fields can have; undefined removes the field. */
const ODD: readonly unknown[] = [
  undefined,
  null,
  5,
  -1,
  true,
  "",
  "x",
  "__proto__",
  [],
  {},
  [null],
  [["__proto__", {}]],
];

/** Where a value has parts, to a depth at which the fields of records are. */
function placesIn(value: unknown, depth = 0): (readonly (string | number)[])[] {
  if (typeof value !== "object" || value === null || depth > 5) return [];
  return Object.entries(value).flatMap(([name, part]) => {
    const key = Array.isArray(value) ? Number(name) : name;
    return [[key], ...placesIn(part, depth + 1).map((place) => [key, ...place])];
  });
}

function spoiled(snapshot: Snapshot, place: readonly (string | number)[], value: unknown): Snapshot {
  const copy = structuredClone(snapshot);
  let target: object = copy;
  for (const key of place.slice(0, -1)) target = Reflect.get(target, key);
  const last = place.at(-1) ?? "";
  if (value === undefined) Reflect.deleteProperty(target, last);
  else Reflect.set(target, last, value);
  return copy;
}

const written = (value: unknown) => (value === undefined ? "no value" : JSON.stringify(value));

let accepted = 0;

afterAll(() => expect(accepted, "no odd snapshot was accepted, so nothing was read").toBeGreaterThan(0));

test.each(ODD.map((value) => [written(value), value]))(
  "a snapshot with %s in any place is rejected, or each record can still be read",
  async (name, value) => {
    // Each restore sends the waiting delivery. Hundreds of look-ups of its host would block those of other tests.
    const emulator = createEmulator({ deliveries: { fetch: async () => new Response() } });
    const { snapshot, paths } = await livedIn(emulator);
    const headers = { "x-api-key": "ak_emulator" };
    const places = placesIn(snapshot).filter(([part]) => part !== "format" && part !== "toolkitData");
    const failures: string[] = [];
    for (const place of places.filter((_, index) => index % sized(120, 1) === ODD.indexOf(value) % sized(120, 1))) {
      try {
        emulator.restore(spoiled(snapshot, place, value));
      } catch (error) {
        if (!(error instanceof ConfigError)) failures.push(`${place.join(".")} = ${name}: ${error}`);
        continue;
      }
      accepted += 1;
      for (const path of paths) {
        const response = await emulator.fetch(emulator.connection.baseUrl + path, { headers });
        if (response.status === 500) failures.push(`${place.join(".")} = ${name}: ${path}: ${await response.text()}`);
      }
    }
    expect(failures).toEqual([]);
  },
);
