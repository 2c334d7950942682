import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Svc } from "svc-sdk";
import { memoryExecutions, toolset } from "svc-sdk/agents";
import { allow, approvals, ask, askInspector, budget, policy } from "svc-sdk/agents/policy";
import { type RunningEmulator, startEmulator } from "svc-sdk/emulator/node";

/** An emulator in which much has happened, and a receiver of its deliveries. */
export interface Scene {
  readonly emulator: RunningEmulator;
  readonly svc: Svc;
  close(): Promise<void>;
}

/** Starts an emulator. */
export async function emptyScene(): Promise<Scene> {
  const emulator = await startEmulator({
    clock: { start: "2026-03-02T09:30:00Z", running: false },
    deliveries: { delaysMs: [1_000, 2_000] },
  });
  const svc = new Svc({ ...emulator.connection, env: {}, maxRetries: 0 });
  return { emulator, svc, close: () => emulator.close() };
}

/** Starts an emulator, and uses each of its parts. */
export async function fullScene(): Promise<Scene> {
  const scene = await emptyScene();
  const { emulator, svc } = scene;
  const statuses = [200, 500, 200];
  const receiver = createServer((incoming, outgoing) => {
    incoming.resume();
    outgoing.writeHead(statuses.shift() ?? 200, { "content-type": "application/json" });
    outgoing.end('{"received":true}');
  });
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  const { port } = receiver.address() as AddressInfo; // A server on a port always has one.
  await svc.webhookSubscriptions.create({
    webhook_url: `http://127.0.0.1:${port}/webhooks`,
    enabled_events: ["svc.trigger.message", "svc.connected_account.expired"],
  });
  const issue = { owner: "octo-org", repo: "hello-world", title: "It works", body: "<b>as text</b>" };
  const execute = (title: string) =>
    svc.tools
      .execute("GITHUB_CREATE_AN_ISSUE", {
        user_id: "user-4711",
        version: "20251023_00",
        arguments: { ...issue, title },
      })
      .catch(() => undefined);
  await svc.toolkits.list();
  await execute("It works");
  emulator.clock.advance("1.2s");
  emulator.faults.next("tools.execute", { status: 503, retryAfterSeconds: 1 });
  emulator.faults.next("tools.execute", { connection: "reset" });
  await execute("Again");
  await execute("Again");
  await execute("Again");
  const trigger = await svc.triggers.upsert("GITHUB_COMMIT_EVENT", {
    connected_account_id: "ca_github_demo",
    trigger_config: { owner: "octo-org", repo: "hello-world" },
  });
  const commit = { id: "c0ffee", message: "Fix the door", author: "ada", url: "https://example.com", timestamp: "t" };
  emulator.triggers.fire(trigger.trigger_id, commit);
  await emulator.waitForDeliveries();
  emulator.triggers.fire(trigger.trigger_id, { ...commit, message: "Fix the window" });
  await emulator.waitForDeliveries();
  emulator.clock.advance("1s");
  await emulator.waitForDeliveries();
  emulator.accounts.expire("ca_slack_demo");
  await emulator.waitForDeliveries();
  await svc.connectedAccounts.link({ auth_config_id: "ac_github_demo", user_id: "ada" });
  const session = await svc.toolRouter.create({ user_id: "user-4711" });
  await fetch(session.mcp.url, {
    method: "POST",
    headers: { "x-api-key": emulator.connection.apiKey ?? "", "content-type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
  });
  const { upload_url } = await session.mounts().uploadUrl({ mount_relative_path: "notes.txt", mimetype: "text/plain" });
  await fetch(upload_url, { method: "PUT", headers: { "content-type": "text/plain" }, body: "Notes" });
  await svc.tools.get("GITHUB_NOTHING").catch(() => undefined);
  await fetch(`${emulator.url}/api/v3.1/tools`);
  await runAgent(svc);
  // Reports come in the background.
  const isReported = () =>
    emulator.runs.filter(({ result }) => result !== "").length === 6 && emulator.runs.some(({ question }) => question);
  while (!isReported()) await new Promise(setImmediate);
  emulator.faults.every(5, "tools.list", { status: 429, retryAfterSeconds: 2 });
  return {
    ...scene,
    close: async () => {
      receiver.closeAllConnections();
      receiver.close();
      await scene.close();
    },
  };
}

/** Three conversations: calls that run, are denied, wait for their program, and wait for the inspector. */
async function runAgent(svc: Svc): Promise<void> {
  const keys = [{ id: "demo", secret: "0123456789abcdef0123456789abcdef" }];
  const gate = approvals({ keys });
  const executions = memoryExecutions();
  const create = (conversationId: string, own = gate) =>
    toolset(svc, {
      userId: "user-4711",
      conversationId,
      toolkits: ["github", "textkit"],
      policy: policy([
        allow({ name: "read", tags: ["readOnlyHint"] }),
        ask({ name: "changes", tools: ["GITHUB_CREATE_AN_ISSUE"] }),
        budget({ id: "issues", tools: ["GITHUB_CREATE_AN_ISSUE"], maxCalls: 20, windowMs: 3_600_000 }),
        budget({ id: "reads", tags: ["readOnlyHint"], maxCallsPerTool: 50, per: "conversation" }),
      ]),
      approvals: own,
      executions,
    });
  const issue = { owner: "octo-org", repo: "hello-world", title: "Fix the door" };
  const repository = { owner: "octo-org", repo: "hello-world" };
  const tools = await create("chat-1");
  const [, waiting] = await tools.run([
    { callId: "call_1", name: "GITHUB_LIST_REPOSITORY_ISSUES", arguments: repository },
    { callId: "call_2", name: "GITHUB_CREATE_AN_ISSUE", arguments: issue },
    { callId: "call_3", name: "GITHUB_STAR_A_REPOSITORY", arguments: repository },
  ]);
  if (waiting?.pendingApproval) {
    const token = await gate.approve(waiting.pendingApproval, { approver: "ada@example.com" });
    await tools.run([waiting.pendingApproval.call], { approvals: [token] });
  }
  await tools.run([
    { callId: "call_4", name: "GITHUB_GET_AN_ISSUE", arguments: { ...repository, issue_number: "one" } },
  ]);
  const other = await create("chat-2");
  await other.run([
    { callId: "call_1", name: "TEXTKIT_COUNT_WORDS", arguments: { text: "Fix the door" } },
    { callId: "call_2", name: "GITHUB_CREATE_AN_ISSUE", arguments: { ...issue, title: "Fix the window" } },
  ]);
  const asking = await create("chat-3", approvals({ keys, onRequest: askInspector(svc) }));
  const roof = { ...issue, title: "Fix the roof", body: "Rain comes in above the stairs.", labels: ["bug", "house"] };
  // It ends with the emulator.
  void asking.run([{ callId: "call_1", name: "GITHUB_CREATE_AN_ISSUE", arguments: roof }]);
}
