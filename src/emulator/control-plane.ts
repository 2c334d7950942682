import { Hono } from "hono";
import * as z from "zod/mini";
import { mismatchesOf } from "../contract/check.js";
import { ConfigError, describeMismatches } from "../errors/local.js";
import { JsonObject, request } from "../resources/schema-kit.js";
import type { VersionChanges } from "./catalog/catalog.js";
import type { Duration } from "./host/clock.js";
import { ApiFailure } from "./host/errors.js";
import { FaultShape } from "./host/faults.js";
import { type BodyLimits, MAX_BYTES, readBody, SNAPSHOT_DEPTH } from "./host/read-request.js";
import type { Emulator } from "./index.js";

/** Path prefix of the control plane. The service has no such paths. */
export const CONTROL_PREFIX = "/_emulator";

const AdvanceBody = request({ advance: z.union([z.number(), z.string()]) });

const FaultBody = request({
  operation: z.string(),
  fault: FaultShape,
  times: z.optional(z.number()),
  every: z.optional(z.number()),
});

const DeliveryFaultsBody = request({
  copies: z.optional(z.number()),
  reorder: z.optional(z.boolean()),
  delayMs: z.optional(z.number()),
  skewSeconds: z.optional(z.number()),
  wrongSecret: z.optional(z.boolean()),
});

const PublishBody = request({ toolkit: z.string(), version: z.string(), changes: z.optional(JsonObject) });

const ExpireBody = z.optional(request({ reason: z.optional(z.string()) }));

/** HTTP API to control the emulator from another process. */
export function controlPlane(
  emulator: Omit<Emulator, "fetch" | "connection">,
): (request: Request) => Promise<Response> {
  const app = new Hono().basePath(CONTROL_PREFIX);

  app.get("/health", (route) => route.json({ status: "ok", now: emulator.clock.iso() }));
  app.post("/reset", (route) => {
    emulator.reset();
    return route.json({});
  });
  app.get("/snapshot", (route) => route.json(emulator.snapshot()));
  app.put("/snapshot", async (route) => {
    const limits = { maxDepth: SNAPSHOT_DEPTH, maxBytes: MAX_BYTES.snapshot };
    emulator.restore(await read(JsonObject, route.req.raw, limits));
    return route.json({});
  });
  app.get("/clock", (route) => route.json({ now: emulator.clock.iso() }));
  app.post("/clock", async (route) => {
    const { advance } = await read(AdvanceBody, route.req.raw);
    // `advance` rejects a string that isn't a duration.
    emulator.clock.advance(advance as Duration);
    return route.json({ now: emulator.clock.iso() });
  });
  app.post("/faults", async (route) => {
    const { operation, fault, times, every } = await read(FaultBody, route.req.raw);
    if (every === undefined) emulator.faults.next(operation, fault, { times });
    else emulator.faults.every(every, operation, fault, { times });
    return route.json({});
  });
  app.delete("/faults", (route) => {
    emulator.faults.clear();
    return route.json({});
  });
  app.post("/catalog", async (route) => {
    const { toolkit, version, changes } = await read(PublishBody, route.req.raw);
    // `publish` rejects invalid changes.
    emulator.catalog.publish(toolkit, version, changes as VersionChanges | undefined);
    return route.json({});
  });
  app.get("/events", (route) => route.json({ items: emulator.events }));
  app.post("/accounts/:id/expire", async (route) => {
    const body = await read(ExpireBody, route.req.raw);
    emulator.accounts.expire(route.req.param("id"), body?.reason);
    return route.json({});
  });
  app.post("/triggers/:id/fire", async (route) =>
    route.json(emulator.triggers.fire(route.req.param("id"), await read(JsonObject, route.req.raw))),
  );
  app.get("/deliveries", (route) => route.json({ items: emulator.deliveries.items }));
  app.post("/deliveries/faults", async (route) => {
    emulator.deliveries.injectFaults(await read(DeliveryFaultsBody, route.req.raw));
    return route.json({});
  });
  app.delete("/deliveries/faults", (route) => {
    emulator.deliveries.clearFaults();
    return route.json({});
  });
  app.post("/settled", async (route) => {
    await emulator.settled();
    return route.json({});
  });
  app.get("/requests", (route) => route.json({ items: emulator.requests }));

  app.notFound((route) =>
    route.json({ message: `The control plane doesn't have ${route.req.method} ${route.req.path}` }, 404),
  );
  app.onError((error, route) => {
    if (error instanceof ConfigError) return route.json({ message: error.message }, 400);
    if (error instanceof ApiFailure) return errorResponse(error);
    throw error;
  });
  return async (incoming) => app.fetch(incoming);
}

function errorResponse({ details: { status, message, errors } }: ApiFailure): Response {
  return Response.json({ message: errors?.join("; ") ?? message }, { status });
}

async function read<Value>(schema: z.ZodMiniType<Value>, incoming: Request, limits?: BodyLimits): Promise<Value> {
  const body = await readBody(incoming, limits);
  const result = schema.safeParse(body);
  if (result.success) return result.data;
  throw new ConfigError(`Invalid body: ${describeMismatches(mismatchesOf(schema, body))}.`);
}
