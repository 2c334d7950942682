import * as z from "zod/mini";
import { operations } from "../../contract/operations.js";
import { ConfigError } from "../../errors/local.js";
import { JsonObject, object, request } from "../../resources/schema-kit.js";
import { BrokenConnection } from "../host/faults.js";
import { control } from "./endpoint.js";
import { DeliveryShape, Done, FaultRecord, listOf } from "./shapes.js";
import { catalogView, stateView } from "./view.js";

const Clock = object({ now: z.string(), isRunning: z.boolean() });

/** State as the inspector shows it. Its records have more fields than a caller should depend on. */
const StateView = object({
  now: z.string(),
  isRunning: z.boolean(),
  rateLimit: JsonObject,
  faults: z.array(FaultRecord),
  deliveryFaults: JsonObject,
  ...Object.fromEntries(
    ["accounts", "authConfigs", "triggers", "subscriptions", "sessions", "files"].map((kind) => [
      kind,
      z.array(JsonObject),
    ]),
  ),
});

const ResendBody = z.optional(
  request({
    body: z.optional(z.string()),
    copies: z.optional(z.number()),
    sign: z.optional(z.boolean()),
    skewSeconds: z.optional(z.number()),
    wrongSecret: z.optional(z.boolean()),
  }),
);

const ExecuteBody = request({
  userId: z.optional(z.string()),
  version: z.optional(z.string()),
  arguments: JsonObject,
});

/** Faults can send bodies that aren't JSON, or none. */
function jsonOrText(text: string): unknown {
  try {
    return text === "" ? null : JSON.parse(text);
  } catch {
    return text;
  }
}

/** Endpoints that the inspector needs, beside those for tests. */
export const inspectorEndpoints = [
  control({
    name: "state",
    method: "GET",
    path: "/state",
    summary: "Returns the newest records of each kind, faults, clock, and rate limit, without credentials.",
    response: StateView,
    run: ({ engine }) => stateView(engine),
  }),
  control({
    name: "catalog",
    method: "GET",
    path: "/catalog",
    summary:
      "Lists the toolkits with their tools, trigger types, and schemas, in the latest versions, and all operations.",
    response: object({
      items: z.array(JsonObject),
      operations: z.array(object({ name: z.string(), method: z.string(), path: z.string() })),
    }),
    run: ({ engine }) => ({
      items: catalogView(engine),
      operations: operations.map(({ endpoint: { name, method, path } }) => ({ name, method, path })),
    }),
  }),
  control({
    name: "setClock",
    method: "PUT",
    path: "/clock",
    summary: "Advances the clock to a time, pauses it, or resumes it.",
    body: request({ to: z.optional(z.string()), isRunning: z.optional(z.boolean()) }),
    response: Clock,
    run: ({ emulator: { clock }, body: { to, isRunning } }) => {
      if (to !== undefined) clock.advanceTo(to);
      if (isRunning === true) clock.resume();
      if (isRunning === false) clock.pause();
      return { now: clock.iso(), isRunning: clock.isRunning };
    },
  }),
  control({
    name: "faults",
    method: "GET",
    path: "/faults",
    summary: "Lists the injected faults of responses that still apply, oldest first.",
    response: listOf(FaultRecord),
    run: ({ emulator }) => ({ items: emulator.faults.items }),
  }),
  control({
    name: "removeFault",
    method: "DELETE",
    path: "/faults/{id}",
    summary: "Removes one fault of responses.",
    response: Done,
    run: ({ emulator, params: { id } }) => emulator.faults.remove(Number(id)),
  }),
  control({
    name: "activateAccount",
    method: "POST",
    path: "/accounts/{id}/activate",
    summary: "Makes a connected account ACTIVE, as if its user had connected it.",
    response: Done,
    run: ({ emulator, params: { id = "" } }) => emulator.accounts.activate(id),
  }),
  control({
    name: "revokeAccount",
    method: "POST",
    path: "/accounts/{id}/revoke",
    summary: "Revokes a connected account.",
    response: Done,
    run: ({ emulator, params: { id = "" } }) => emulator.accounts.revoke(id),
  }),
  control({
    name: "resend",
    method: "POST",
    path: "/deliveries/{id}/resend",
    summary: "Sends a delivery again: byte for byte, or signed again with another body, time, or secret.",
    body: ResendBody,
    response: listOf(DeliveryShape),
    run: ({ emulator, params: { id = "" }, body }) => ({ items: emulator.deliveries.resend(id, body) }),
  }),
  control({
    name: "executeTool",
    method: "POST",
    path: "/tools/{slug}/execute",
    summary: "Runs a tool as a request with the first project key, and returns the service's response.",
    body: ExecuteBody,
    response: object({ status: z.int(), body: z.unknown() }),
    run: async ({ engine, request: { url }, params: { slug = "" }, body: { userId, ...sent } }) => {
      const key = [...engine.state.keys.values()].find(
        (one) => one.kind === "apiKey" && (one.state ?? "active") === "active",
      );
      const target = new URL(`/api/v3.1/tools/execute/${encodeURIComponent(slug)}`, url);
      const sending = engine.serve(
        new Request(target, {
          method: "POST",
          headers: { "content-type": "application/json", ...(key && { "x-api-key": key.value }) },
          body: JSON.stringify({ ...sent, ...(userId !== undefined && { user_id: userId }) }),
        }),
      );
      const response = await sending.catch((error: unknown) => {
        if (!(error instanceof BrokenConnection)) throw error;
        throw new ConfigError(`The request got no response: a fault broke its connection (${error.how}).`);
      });
      return { status: response.status, body: jsonOrText(await response.text()) };
    },
  }),
];
