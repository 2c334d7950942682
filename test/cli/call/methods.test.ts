import { describe, expect, test } from "vitest";
import { callables } from "../../../src/cli/call/callable.js";
import { operationCommand } from "../../../src/cli/call/operation.js";
import type { RunningEmulator } from "../../../src/emulator/node.js";
import { Svc } from "../../../src/index.js";
import { type Ended, svc } from "../run.js";
import { emulated } from "../setups.js";

const known = callables();

function methodsOf(value: object): string[] {
  const members = Object.entries(Object.getOwnPropertyDescriptors(Object.getPrototypeOf(value)));
  return members.flatMap(([name, { value: member }]) =>
    typeof member === "function" && name !== "constructor" ? [name] : [],
  );
}

/** Every method of the client and of a session, by the name that the command takes. */
function clientMethods(): string[] {
  const client = new Svc({ baseUrl: "https://api.example.com", apiKey: "ak_1", env: {} });
  const session = client.toolRouter.use("trs_1");
  const resources = Object.entries(client).flatMap(([resource, value]: [string, object]) =>
    methodsOf(value).map((name) => `${resource}.${name}`),
  );
  return [
    ...resources,
    ...methodsOf(session).map((name) => `toolRouter.${name}`),
    ...methodsOf(session.mounts()).map((name) => `toolRouter.mount${name[0]?.toUpperCase()}${name.slice(1)}`),
  ];
}

async function callable() {
  const { emulator, env } = await emulated();
  const call = (line: string): Promise<Ended> => svc(`call ${line}`, { env });
  return { emulator, client: new Svc(emulator.connection), call };
}

const sent = ({ requests }: RunningEmulator) =>
  requests.map(({ operation, body }) => [operation, JSON.parse(body || "null")]);

describe("svc-sdk call with the methods of the client", () => {
  test("knows each method, or says why a shell can't call it and what to use", async () => {
    const others = clientMethods().filter((name) => !known.has(name));
    expect(others.sort()).toEqual([
      "files.download",
      "files.upload",
      "toolRouter.mounts",
      "toolRouter.settle",
      "toolRouter.use",
      "tools.settle",
    ]);
    for (const name of others) {
      const { code, stderr } = await svc(["call", name]);
      expect([code, stderr]).toEqual([2, expect.stringMatching(/^svc-sdk: [\w.]+ (?:takes|returns) .+\. \w+ .+\.$/m)]);
    }
  });

  test("says how to upload a file with curl, with the type that the URL was signed for", async () => {
    const { client, call } = await callable();
    const facts = { toolkit_slug: "github", tool_slug: "GITHUB_CREATE_AN_ISSUE", filename: "a.txt" };
    const body = { ...facts, mimetype: "text/plain", md5: "b1946ac92492d2347c6235b4d2611184" };
    const url = (await client.files.requestUpload(body)).new_presigned_url;
    const [, header = ""] = /curl -T <file> -H '([^']+)' <url>/.exec((await call("files.upload")).stderr) ?? [];
    const [name = "", value = ""] = header.replace("<mimetype>", "text/plain").split(": ");
    const sentBody = new TextEncoder().encode("hello\n");
    expect((await fetch(url, { method: "PUT", body: sentBody, headers: { [name]: value } })).status).toBe(200);
  });

  test("describes the effect of each operation in its help", async () => {
    const { stdout } = await svc("call --help");
    const described = new Map(
      [...stdout.matchAll(/^ {2}(\w+\.\w+) {2,}([A-Z][a-z]+s .+)$/gm)].map(([, name, effect]) => [name, effect]),
    );
    expect([...known.keys()].filter((name) => !described.has(name))).toEqual([]);
    expect(described.get("triggers.setStatus")).toBe("Enables or disables a trigger instance");
  });

  test("says after two seconds what each operation waits for", () => {
    for (const operation of known.values())
      expect(operationCommand(operation).progress).toBe("Waiting for the service");
  });

  test("enables and disables as the client does", async () => {
    const { call, client, emulator } = await callable();
    const { trigger_id } = await client.triggers.upsert("GITHUB_COMMIT_EVENT", {
      connected_account_id: "ca_github_demo",
      trigger_config: { owner: "octo-org", repo: "hello-world" },
    });
    for (const line of [
      `triggers.disable ${trigger_id}`,
      `triggers.enable ${trigger_id}`,
      "connectedAccounts.disable ca_github_demo",
      "connectedAccounts.enable ca_github_demo",
      "authConfigs.disable ac_github_demo",
    ]) {
      expect([line, await call(line)]).toEqual([line, expect.objectContaining({ code: 0, stderr: "" })]);
    }
    expect(sent(emulator).slice(-5)).toEqual([
      ["triggers.setStatus", { status: "disable" }],
      ["triggers.setStatus", { status: "enable" }],
      ["connectedAccounts.setStatus", { enabled: false }],
      ["connectedAccounts.setStatus", { enabled: true }],
      ["authConfigs.setStatus", null],
    ]);
    expect((await client.authConfigs.get("ac_github_demo")).status).toBe("DISABLED");
    expect((await call("authConfigs.enable ac_github_demo")).code).toBe(0);
    expect((await client.authConfigs.get("ac_github_demo")).status).toBe("ENABLED");
  });

  test("ensures a config and a subscription, and waits for an account", async () => {
    const { call } = await callable();
    const config = await call('authConfigs.ensure --toolkit {"slug":"github"}');
    expect(JSON.parse(config.stdout)).toMatchObject({ id: "ac_github_demo" });
    const line = "webhookSubscriptions.ensure --webhook_url https://app.example --enabled_events svc.trigger.message";
    const [first, second] = [JSON.parse((await call(line)).stdout), JSON.parse((await call(line)).stdout)];
    expect(second).toMatchObject({ id: first.id, webhook_url: "https://app.example" });
    const account = await call("connectedAccounts.waitUntilActive ca_github_demo");
    expect(JSON.parse(account.stdout)).toMatchObject({ id: "ca_github_demo", status: "ACTIVE" });
  });

  test.each([
    ["triggers.disable", "triggers.disable takes <triggerId>, but none was passed."],
    ["authConfigs.enable ac_1 ENABLED", "authConfigs.enable takes <nanoid>, but 2 were passed."],
    ["connectedAccounts.enable ca_1 --enabled", "Unknown option '--enabled'."],
    ["webhookSubscriptions.ensure", /^webhookSubscriptions\.ensure: --webhook_url: expected/],
  ])("svc-sdk call %s is invalid before anything is sent", async (line, message) => {
    const { code, stderr } = await svc(`call ${line}`);
    const said = stderr.replace(/^svc-sdk: | See svc-sdk call .*\n$/g, "");
    expect([code, said]).toEqual([2, typeof message === "string" ? message : expect.stringMatching(message)]);
  });
});

describe("svc-sdk call suggests nothing that destroys more than the operation that was asked for", () => {
  test.each([
    ["triggers.dissable", "Did you mean triggers.disable?"],
    ["trigger.delete", "Did you mean triggers.delete?"],
    ["triggers.delte", "Did you mean triggers.delete?"],
    ["connected_accounts.delete", "Did you mean connectedAccounts.delete?"],
    ["session.execute", "Did you mean toolRouter.execute?"],
    ["Triggers.lis", "Did you mean one of triggers.listTypes, triggers.listTypeSlugs, triggers.listActive?"],
    ["connectedAccounts.remove", /The operations of connectedAccounts are list, create, .*\bdelete\b.*\.$/],
    ["connectedAccounts.evoque", /The operations of connectedAccounts are /],
    ["triggers.detect", /The operations of triggers are /],
    ["toolkits.delete", /The operations of toolkits are /],
    ["webhookEndpoints.delete", /The operations of webhookEndpoints are /],
    ["webhookSubscriptions.noteSecret", /The operations of webhookSubscriptions are /],
    ["delete", "See svc-sdk call --help."],
    ["constructor", "See svc-sdk call --help."],
    ["triggers.toString", /The operations of triggers are /],
  ])("svc-sdk call %s", async (name, hint) => {
    const { code, stderr } = await svc(["call", name]);
    const [, said] = /^svc-sdk: Unknown operation: [\w.]+\. (.*)\n$/.exec(stderr) ?? [];
    expect([code, said]).toEqual([2, typeof hint === "string" ? hint : expect.stringMatching(hint)]);
  });
});
