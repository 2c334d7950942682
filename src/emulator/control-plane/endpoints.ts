// The room of the emulator's own HTTP endpoints, for other processes and the inspector. It imports `assembly`,
// because it changes the whole emulator, `catalog`, `connected-accounts`, `engine`, `src/contract`, `src/json-schema`
// and `src/resources`. Start here.

import * as z from "zod/mini";
import { RunCall, RunDecision, RunReport } from "../../contract/run-schema.js";
import { boolean, JsonObject, number, object, request, string } from "../../resources/schema-kit.js";
import { REPORTS_PATH } from "../../shared/control-plane.js";
import { VersionChanges } from "../catalog/catalog-schema.js";
import { ProviderError } from "../catalog/definitions.js";
import type { Duration } from "../engine/clock.js";
import { DeliveryFaults, DeliveryRecord, EmittedEvent } from "../engine/event-schema.js";
import { ToolRun } from "../engine/execution-schema.js";
import type { FaultOperation } from "../engine/fault-operation.js";
import { InjectedFault } from "../engine/fault-schema.js";
import { count, ExecutionLogFaults } from "../engine/options-schema.js";
import { MAX_BYTES, SNAPSHOT_DEPTH } from "../engine/read-body.js";
import { RequestRecord } from "../engine/request-schema.js";
import { type ControlEndpoint, control, listOf, Time } from "./endpoint-kit.js";
import { inspectorEndpoints } from "./inspector-endpoints.js";

/** Every endpoint of the control plane. Routing and the OpenAPI document derive from it. */
export const controlEndpoints: readonly ControlEndpoint[] = [
  control("health", "GET", "/health", {
    summary: "Reports that the emulator is ready, and its time.",
    response: object({ status: z.literal("ok"), now: string }),
    run: ({ emulator }) => ({ status: "ok", now: emulator.clock.iso() }),
  }),
  control("reset", "POST", "/reset", {
    summary: "Resets everything to the seed.",
    run: ({ emulator }) => emulator.reset(),
  }),
  control("settled", "POST", "/settled", {
    summary: "Responds when no delivery is in flight or due.",
    run: ({ emulator }) => emulator.waitForDeliveries(),
  }),
  control("requests", "GET", "/requests", {
    summary: "Lists the requests received, oldest first; at most the last 1000.",
    response: listOf(RequestRecord),
    run: ({ emulator }) => ({ items: emulator.requests }),
  }),
  control("runs", "GET", REPORTS_PATH, {
    summary: "Lists the calls that toolsets reported, oldest first; at most the last 10,000.",
    response: listOf(RunCall),
    run: ({ emulator }) => ({ items: emulator.runs }),
  }),
  control("reportRuns", "POST", REPORTS_PATH, {
    summary: "Takes what toolsets report about their calls.",
    body: request({ reports: z.array(RunReport) }),
    limits: { maxBytes: MAX_BYTES.file },
    run: ({ engine, body }) => engine.runs.add(body.reports),
  }),
  control("decision", "GET", `${REPORTS_PATH}/{id}/decision`, {
    summary: "Returns the id of a call's question, and the decision. Both are null if it asks nothing.",
    response: object({ question: z.nullable(string), decision: z.nullable(RunDecision) }),
    run: ({ engine, params: { id = "" } }) => engine.runs.questionOf(id),
  }),
  control("decide", "POST", `${REPORTS_PATH}/{id}/decision`, {
    summary: "Decides the question of a call, once and before it expires. The model reads the reason of a denial.",
    // Names the question that the person saw.
    body: request({ question: string, approved: boolean, reason: z.optional(string.check(z.maxLength(1_000))) }),
    run: ({ engine, params: { id = "" }, body: { reason = null, ...body } }) =>
      engine.runs.decide(id, { ...body, reason }),
  }),
  control("snapshot", "GET", "/snapshot", {
    summary: "Returns the current state.",
    response: JsonObject,
    run: ({ emulator }) => emulator.snapshot(),
  }),
  control("takeSnapshot", "POST", "/snapshot", {
    summary: "The same as GET, for callers that expect an action.",
    response: JsonObject,
    run: ({ emulator }) => emulator.snapshot(),
  }),
  control("restore", "PUT", "/snapshot", {
    summary: "Restores a snapshot of this emulator.",
    body: JsonObject,
    limits: { maxDepth: SNAPSHOT_DEPTH, maxBytes: MAX_BYTES.snapshot },
    run: ({ emulator, body }) => emulator.restore(body),
  }),
  control("clock", "GET", "/clock", {
    summary: "Returns the emulator's time, and whether its clock runs.",
    response: Time,
    run: ({ emulator: { clock } }) => ({ now: clock.iso(), isRunning: clock.isRunning }),
  }),
  control("advance", "POST", "/clock", {
    summary: 'Advances the clock by milliseconds or a string such as "30d", and returns the new time.',
    body: request({ advance: z.union([number, string]) }),
    response: Time,
    run: ({ emulator, body }) => {
      // `advance` rejects a string that isn't a duration.
      emulator.clock.advance(body.advance as Duration);
      return { now: emulator.clock.iso(), isRunning: emulator.clock.isRunning };
    },
  }),
  control("injectFault", "POST", "/faults", {
    summary: "Injects a fault into the next request of an operation, or into every nth one.",
    body: request({
      ...{ operation: string, fault: InjectedFault, times: z.optional(count), every: z.optional(count) },
    }),
    run: ({ emulator, body: { fault, times, every, ...body } }) => {
      // `next` and `every` reject a string that isn't an operation.
      const operation = body.operation as FaultOperation;
      if (every === undefined) emulator.faults.next(operation, fault, { times });
      else emulator.faults.every(every, operation, fault, { times });
    },
  }),
  control("clearFaults", "DELETE", "/faults", {
    summary: "Removes all faults of responses.",
    run: ({ emulator }) => emulator.faults.clear(),
  }),
  control("publish", "POST", "/catalog", {
    summary: "Publishes a new version of a toolkit.",
    body: request({ toolkit: string, version: string, changes: z.optional(VersionChanges) }),
    run: ({ emulator, body: { toolkit, version, changes } }) => emulator.catalog.publish(toolkit, version, changes),
  }),
  control("expireAccount", "POST", "/accounts/{id}/expire", {
    summary: "Expires an ACTIVE connected account.",
    body: z.optional(request({ reason: z.optional(string) })),
    run: ({ emulator, params: { id = "" }, body }) => emulator.accounts.expire(id, body?.reason),
  }),
  control("fireTrigger", "POST", "/triggers/{id}/fire", {
    summary: "Fires an event of an enabled trigger instance with the payload in the body, and returns the event.",
    body: JsonObject,
    response: EmittedEvent,
    run: ({ emulator, params: { id = "" }, body }) => emulator.triggers.fire(id, body),
  }),
  control("events", "GET", "/events", {
    summary:
      "Lists the emitted events, oldest first; at most the last 1000. With `Accept: text/event-stream`, streams everything that " +
      "happens, starting with what is kept, with what follows `Last-Event-ID`, or with `?from=now`.",
    response: listOf(EmittedEvent),
    run: ({ emulator, stream, request: { headers, url } }) => {
      if (!headers.get("accept")?.includes("text/event-stream")) return { items: emulator.events };
      const isFromNow = new URL(url).searchParams.get("from") === "now";
      return stream.respond(headers.get("last-event-id") ?? undefined, isFromNow);
    },
  }),
  control("deliveries", "GET", "/deliveries", {
    summary: "Lists the webhook deliveries, oldest first; at most 1000 finished ones.",
    response: listOf(DeliveryRecord),
    run: ({ emulator }) => ({ items: emulator.deliveries.items }),
  }),
  control("injectDeliveryFaults", "POST", "/deliveries/faults", {
    summary: "Injects faults into webhook deliveries, replacing earlier ones.",
    body: DeliveryFaults,
    run: ({ emulator, body }) => emulator.deliveries.injectFaults(body),
  }),
  control("clearDeliveryFaults", "DELETE", "/deliveries/faults", {
    summary: "Stops injecting faults into deliveries.",
    run: ({ emulator }) => emulator.deliveries.clearFaults(),
  }),
  control("injectLogFaults", "POST", "/logs/faults", {
    summary: "Injects faults into the execution log, replacing earlier ones.",
    body: ExecutionLogFaults,
    run: ({ emulator, body }) => emulator.executionLog.injectFaults(body),
  }),
  control("clearLogFaults", "DELETE", "/logs/faults", {
    summary: "Stops injecting faults into the execution log.",
    run: ({ emulator }) => emulator.executionLog.clearFaults(),
  }),
  control("stubTool", "PUT", "/tools/{slug}/stub", {
    summary: "Replaces what a tool does with data or a provider's error.",
    body: z.union([
      request({ data: JsonObject }),
      request({ error: request({ status: z.int().check(z.minimum(400), z.maximum(599)), message: string }) }),
    ]),
    run: ({ emulator, params: { slug = "" }, body }) =>
      emulator.tools.stub(slug, "data" in body ? body.data : new ProviderError(body.error.status, body.error.message)),
  }),
  control("unstubTool", "DELETE", "/tools/{slug}/stub", {
    summary: "Removes a tool's stub.",
    run: ({ emulator, params: { slug = "" } }) => emulator.tools.unstub(slug),
  }),
  control("toolCalls", "GET", "/tools/{slug}/calls", {
    summary: "Lists the executions of a tool with their arguments, oldest first.",
    response: listOf(ToolRun),
    run: ({ emulator, params: { slug = "" } }) => ({ items: emulator.tools.calls(slug) }),
  }),
  ...inspectorEndpoints,
];
