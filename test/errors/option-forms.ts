import { readFileSync } from "node:fs";
import { memoryExecutions, prepareToolset, tool, toolset } from "../../src/agents/index.js";
import {
  allow,
  approvals,
  ask,
  askInspector,
  audit,
  budget,
  customPolicy,
  deny,
  dryRun,
  memoryApprovals,
  memoryBudgets,
  type PendingApproval,
  policy,
  policyFromJson,
  verifyAudit,
} from "../../src/agents/policy-entry.js";
import { argumentValidator } from "../../src/contract/arguments.js";
import { checkContract } from "../../src/contract/index.js";
import { fromCatalog } from "../../src/emulator/from-catalog.js";
import { createEmulator } from "../../src/emulator/index.js";
import { startEmulator } from "../../src/emulator/node.js";
import { logCalls, Svc, toolLock } from "../../src/index.js";
import { traceCalls, traceToolset } from "../../src/otel/index.js";
import { fileAudit, fileDeliveries, sharedRateLimit } from "../../src/stores/index.js";
import {
  postgresApprovals,
  postgresAudit,
  postgresBudgets,
  postgresDeliveries,
  postgresExecutions,
  postgresInbox,
  postgresRateLimit,
  postgresRateLimitStore,
} from "../../src/stores/postgres.js";
import {
  redisApprovals,
  redisBudgets,
  redisDeliveries,
  redisExecutions,
  redisRateLimit,
  redisRateLimitStore,
} from "../../src/stores/redis.js";
import { scriptedModel, signedDelivery } from "../../src/testing/index.js";
import {
  createReceiver,
  memoryDeliveries,
  signWebhook,
  verifySignature,
  verifyWebhook,
} from "../../src/webhooks/index.js";
import { adapterOptions } from "../agents/every-adapter.js";
import { bench, COUNT_WORDS, USER } from "../agents/support.js";
import type { OptionsCase } from "./options-case.js";

const { tools, svc, emulator } = await bench({ tools: [COUNT_WORDS] });
const catalog: unknown = JSON.parse(readFileSync("examples/catalog.json", "utf8"));
const EMPTY = { toolkits: [], tools: [] };
const secret = "whsec_0123456789abcdef0123456789abcdef";
const gate = approvals({ keys: [{ id: "1", secret }] });
const kept = approvals({ keys: [{ id: "1", secret }], store: memoryApprovals() });
const asking = await bench({
  tools: [COUNT_WORDS],
  policy: policy([ask({})]),
  approvals: gate,
  executions: memoryExecutions(),
});
const call = { callId: "call_waits", name: COUNT_WORDS, arguments: { text: "a b" } };
const [waiting] = await asking.tools.run([call]);
const pending = waiting?.pendingApproval as PendingApproval;
const { token: request } = await gate.request(pending, { approver: "ada" });

const prepared = await prepareToolset(svc, { tools: [COUNT_WORDS] });

const redis = { client: { eval: async () => null } };
const postgres = { client: { query: async () => [] } };
const pool = { ...postgres.client, connect: async () => ({ ...postgres.client, release: () => undefined }) };
const store = { read: async () => ({ value: undefined, now: 0 }), compareAndSwap: async () => true };
const delivery = signedDelivery({ secret });
const event = emulator.deliveries;

export const CASES: Readonly<Record<string, OptionsCase>> = {
  Svc: { call: (o) => new Svc(o), good: { baseUrl: "https://api.example.com", env: {} }, wrong: { timeoutMs: 0 } },
  "tools.list": { call: (o) => svc.toolkits.list({}, o), good: { timeoutMs: 5_000 }, wrong: { timeoutMs: 0 } },
  "authConfigs.ensure": {
    call: (o) => svc.authConfigs.ensure({ toolkit: { slug: "github" } }, o),
    good: { deadlineMs: 5_000 },
    wrong: { deadlineMs: 0 },
  },
  "connectedAccounts.waitUntilActive": {
    call: (o) => svc.connectedAccounts.waitUntilActive("ca_github_demo", o),
    good: { deadlineMs: 5_000 },
    wrong: { maxRetries: -1 },
  },
  "files.upload": {
    call: (o) =>
      svc.files.upload(
        new Uint8Array(1),
        { toolkit_slug: "drive", tool_slug: "DRIVE_UPLOAD_FILE", filename: "a", mimetype: "text/plain" },
        o,
      ),
    good: { deadlineMs: 5_000 },
    wrong: { maxRetries: -1 },
  },
  "tools.settle": {
    call: (o) => {
      const execution = { toolSlug: COUNT_WORDS, arguments: { text: "" }, userId: USER, startedAfter: new Date() };
      return svc.tools.settle(execution, o);
    },
    good: { deadlineMs: 5 },
    wrong: { exclusive: "no" },
  },
  logCalls: { call: logCalls, good: { level: "off", env: {} }, wrong: { level: "loud" } },
  toolLock: {
    call: (o) => toolLock({ formatVersion: 1, tools: {}, toolkits: {} }, o),
    good: { rejectUnlocked: true },
    wrong: { rejectUnlocked: "yes" },
  },
  checkContract: { call: checkContract, good: { onMismatch: "throw" }, wrong: { onMismatch: "thorw" } },
  argumentValidator: { call: argumentValidator, good: { catalog: EMPTY }, wrong: { catalog: "none" } },
  traceCalls: { call: traceCalls, good: {}, wrong: { tracerProvider: {} } },
  traceToolset: { call: traceToolset, good: { recordArguments: true }, wrong: { recordArguments: 1 } },

  toolset: { call: (o) => toolset(svc, o), good: { userId: USER, tools: [COUNT_WORDS] }, wrong: { eventArguments: 1 } },
  "toolset run": { call: (o) => tools.run([], o), good: { dryRun: true }, wrong: { dryRun: "yes" } },
  prepareToolset: {
    call: (o) => prepareToolset(svc, o),
    good: { tools: [COUNT_WORDS], executions: memoryExecutions() },
    wrong: { maxResultBytes: 1 },
  },
  "prepareToolset for": { call: (o) => prepared.for(o), good: { userId: USER }, wrong: { conversationId: 1 } },
  tool: {
    call: (o) => toolset(svc, { userId: USER, tools: [tool(o)] }),
    good: { name: "own", description: "", parameters: { type: "object" }, execute: () => 1 },
    wrong: { tags: "readOnlyHint" },
    mayHaveState: true,
  },
  memoryExecutions: { call: memoryExecutions, good: { maxResults: 5 }, wrong: { maxResults: 0 } },
  ...adapterOptions(tools),

  policy: { call: (o) => policy([allow({})], o), good: { allowUnknownNames: true }, wrong: { allowUnknownNames: 1 } },
  policyFromJson: {
    call: (o) => policyFromJson({ rules: [] }, o),
    good: { allowUnknownNames: true },
    wrong: { allowUnknownNames: 1 },
  },
  allow: { call: (o) => policy([allow(o)]), good: { tools: ["OTHER"] }, wrong: { tools: "OTHER" } },
  ask: { call: (o) => policy([ask(o)]), good: { toolkits: ["other"] }, wrong: { toolkits: "other" } },
  deny: { call: (o) => policy([deny(o)]), good: { users: ["ada"] }, wrong: { when: "always" } },
  dryRun: { call: (o) => policy([dryRun(o)]), good: { tags: ["a"] }, wrong: { tags: "a" } },
  budget: { call: (o) => policy([budget(o)]), good: { maxCalls: 2 }, wrong: { maxCalls: 0 } },
  "a condition": {
    call: (o) => policy([allow({ when: { title: o } })]),
    good: { like: "a*" },
    wrong: { like: 1 },
  },
  "conditions by argument": {
    call: (o) => policy([allow({ when: o })]),
    good: { title: { like: "a*" } },
    wrong: { title: { like: 1 } },
    isDictionary: true,
  },
  customPolicy: {
    call: customPolicy,
    good: { digest: "1", decide: () => ({ outcome: "allow" }) },
    wrong: { count: 1 },
    mayHaveState: true,
  },
  forSession: {
    call: (o) =>
      policy([allow({})]).forSession(
        [{ slug: "A", tags: [], toolkit: { slug: "a", name: "a", logo: null } } as never],
        o,
      ),
    good: { allowed: "conditionally" },
    wrong: { allowed: "always" },
  },
  memoryApprovals: { call: memoryApprovals, good: { maxRecords: 5 }, wrong: { maxRecords: 0 } },
  "approvals list": { call: kept.list, good: { state: "denied" }, wrong: { state: "open" } },
  "standing approvals list": { call: kept.standing.list, good: { userId: "a" }, wrong: { state: "used" } },
  memoryBudgets: { call: memoryBudgets, good: { now: () => 0 }, wrong: { now: 0 } },
  audit: { call: audit, good: { keys: [{ id: "1", secret }], to: () => {} }, wrong: { to: "a file" } },
  verifyAudit: { call: (o) => verifyAudit([], o), good: { keys: [{ id: "1", secret }] }, wrong: { head: 3 } },
  approvals: { call: approvals, good: { keys: [{ id: "1", secret }] }, wrong: { now: 0 } },
  "an approval key": {
    call: (o) => approvals({ keys: [o] }),
    good: { id: "1", secret },
    wrong: { secret: "short" },
  },
  approve: { call: (o) => gate.approve(pending, o), good: { approver: "ada" }, wrong: { expiresInMs: 0 } },
  deny_: { call: (o) => gate.deny(pending, o), good: { approver: "ada" }, wrong: { reason: 1 } },
  request: { call: (o) => gate.request(pending, o), good: { approver: "ada" }, wrong: { expiresInMs: 0 } },
  respond: { call: (o) => gate.respond(request, o), good: { approved: false }, wrong: { approved: "no" } },
  "approvals decide": {
    call: (o) => kept.decide(pending, o),
    good: { approved: false, approver: "ada" },
    wrong: { approved: "no" },
  },
  askInspector: { call: (o) => askInspector(svc, o), good: { expiresInMs: 5 }, wrong: { expiresInMs: 0 } },

  createReceiver: {
    call: createReceiver,
    good: { secret, on: {}, onUnhandled: () => undefined },
    wrong: { handlerTimeoutMs: 0 },
  },
  "handlers of a receiver": {
    call: (on) => createReceiver({ secret, on, onUnhandled: () => undefined }),
    good: { GITHUB_COMMIT_EVENT: () => undefined },
    wrong: { GITHUB_COMMIT_EVENT: "handler" },
    isDictionary: true,
  },
  verifyWebhook: { call: (o) => verifyWebhook(delivery.request, o), good: { secret }, wrong: { toleranceSeconds: 0 } },
  verifySignature: {
    call: (o) => verifySignature(delivery.request, o),
    good: { secret },
    wrong: { toleranceSeconds: 0 },
  },
  signWebhook: { call: signWebhook, good: { id: "1", timestamp: 1, body: "{}", secret }, wrong: { body: 1 } },
  signedDelivery: { call: signedDelivery, good: { secret }, wrong: { type: "svc.other" } },
  scriptedModel: { call: scriptedModel, good: { turns: ["Hello."] }, wrong: { turns: "Hello." } },
  "scriptedModel().serve": {
    call: async (o) => (await scriptedModel({ turns: [] }).serve(o)).close(),
    good: { port: 0 },
    wrong: { port: -1 },
  },
  memoryDeliveries: { call: memoryDeliveries, good: { maxEntries: 5 }, wrong: { maxEntries: 0 } },

  sharedRateLimit: {
    call: (o) => sharedRateLimit(store, o),
    good: { onOutage: () => undefined },
    wrong: { onOutage: 1 },
  },
  fileDeliveries: { call: (o) => fileDeliveries(":memory:", o), good: { retentionMs: 5 }, wrong: { retentionMs: 0 } },
  redisExecutions: { call: redisExecutions, good: { ...redis, prefix: "a" }, wrong: { prefix: 1 } },
  redisApprovals: { call: redisApprovals, good: { ...redis, prefix: "a" }, wrong: { prefix: 1 } },
  redisBudgets: { call: redisBudgets, good: { ...redis, prefix: "a" }, wrong: { prefix: 1 } },
  redisDeliveries: { call: redisDeliveries, good: { ...redis, prefix: "a" }, wrong: { prefix: 1 } },
  redisRateLimit: { call: redisRateLimit, good: { ...redis, key: "a" }, wrong: { key: 1 } },
  redisRateLimitStore: { call: redisRateLimitStore, good: { ...redis, key: "a" }, wrong: { key: 1 } },
  fileAudit: { call: (o) => fileAudit("calls.jsonl", o), good: { maxBytes: 5 }, wrong: { maxBytes: 0 } },
  postgresAudit: { call: postgresAudit, good: { ...postgres, log: "a" }, wrong: { log: 1 } },
  postgresExecutions: { call: postgresExecutions, good: { ...postgres, prefix: "a" }, wrong: { prefix: 1 } },
  postgresApprovals: { call: postgresApprovals, good: { ...postgres, prefix: "a" }, wrong: { prefix: 1 } },
  postgresBudgets: { call: postgresBudgets, good: { ...postgres, prefix: "a" }, wrong: { prefix: 1 } },
  postgresDeliveries: { call: postgresDeliveries, good: { ...postgres, prefix: "a" }, wrong: { prefix: 1 } },
  postgresInbox: { call: postgresInbox, good: { pool, prefix: "a" }, wrong: { prefix: 1 } },
  postgresRateLimit: { call: postgresRateLimit, good: { ...postgres, key: "a" }, wrong: { key: 1 } },
  postgresRateLimitStore: { call: postgresRateLimitStore, good: { ...postgres, key: "a" }, wrong: { key: 1 } },

  createEmulator: { call: createEmulator, good: { unknownFields: "ignore" }, wrong: { unknownFields: "allow" } },
  startEmulator: {
    call: async (o) => (await startEmulator(o)).close(),
    good: { port: 0 },
    wrong: { unknownFields: "allow" },
  },
  "createEmulator clock": {
    call: (clock) => createEmulator({ clock }),
    good: { running: false },
    wrong: { running: "no" },
  },
  fromCatalog: { call: (o) => fromCatalog(catalog, o), good: { seed: 2 }, wrong: { seed: "a" } },
  "faults.next": {
    call: (o) => emulator.faults.next("tools.list", { status: 503 }, o),
    good: { times: 2 },
    wrong: { times: 0 },
  },
  "deliveries.injectFaults": { call: (o) => event.injectFaults(o), good: { copies: 2 }, wrong: { copies: 0 } },
};
