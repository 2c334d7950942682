import * as z from "zod/mini";
import { operations } from "../../contract/operations.js";
import { ConfigError } from "../../errors/local.js";
import { formSchema } from "../../json-schema/form-schema.js";
import { JsonObject, object, request } from "../../resources/schema-kit.js";
import { CREDENTIALS } from "../../shared/credentials.js";
import { parseJson } from "../../shared/json.js";
import { messageOf } from "../../shared/message-of.js";
import type { Assembly } from "../assembly/emulator.js";
import { activeKeys } from "../assembly/seeding.js";
import { factsIn, latestVersion, versionsOf } from "../catalog/catalog.js";
import { linkUrl } from "../connected-accounts/show.js";
import { DeliveryRecord, ResendOptions } from "../engine/event-schema.js";
import { FaultRule } from "../engine/fault-schema.js";
import { BrokenConnection } from "../engine/faults.js";
import { maskSecret } from "../engine/masking.js";
import { control, listOf, Time } from "./endpoint-kit.js";

const records = z.array(JsonObject);

/** State as the inspector shows it. Its records have more fields than a caller should depend on. */
const StateView = object({
  now: z.string(),
  isRunning: z.boolean(),
  rateLimit: JsonObject,
  faults: z.array(FaultRule),
  deliveryFaults: JsonObject,
  logFaults: JsonObject,
  ...{ accounts: records, authConfigs: records, triggers: records, subscriptions: records, sessions: records },
  files: records,
});

/** Endpoints that the inspector needs, beside those for tests. */
export const inspectorEndpoints = [
  control("state", "GET", "/state", {
    summary: "Returns the newest records of each kind, faults, clock, and rate limit, without credentials.",
    response: StateView,
    run: ({ engine, request: { url } }) => stateView(engine, new URL(url).origin),
  }),
  control("catalog", "GET", "/catalog", {
    summary:
      "Lists the toolkits with their tools, trigger types, and schemas, in the latest versions, and all operations.",
    response: object({
      items: z.array(JsonObject),
      operations: z.array(object({ name: z.string(), method: z.string(), path: z.string() })),
    }),
    run: ({ engine }) => catalogView(engine),
  }),
  control("setClock", "PUT", "/clock", {
    summary: "Advances the clock to a time, pauses it, or resumes it.",
    body: request({ to: z.optional(z.string()), isRunning: z.optional(z.boolean()) }),
    response: Time,
    run: ({ emulator: { clock }, body: { to, isRunning } }) => {
      if (to !== undefined) clock.advanceTo(to);
      if (isRunning === true) clock.resume();
      if (isRunning === false) clock.pause();
      return { now: clock.iso(), isRunning: clock.isRunning };
    },
  }),
  control("faults", "GET", "/faults", {
    summary: "Lists the injected faults of responses that still apply, oldest first.",
    response: listOf(FaultRule),
    run: ({ emulator }) => ({ items: emulator.faults.items }),
  }),
  control("removeFault", "DELETE", "/faults/{id}", {
    summary: "Removes one fault of responses.",
    run: ({ emulator, params: { id } }) => emulator.faults.remove(Number(id)),
  }),
  control("activateAccount", "POST", "/accounts/{id}/activate", {
    summary: "Activates a connected account, as if its user had connected it.",
    run: ({ emulator, params: { id = "" } }) => emulator.accounts.activate(id),
  }),
  control("declineAccount", "POST", "/accounts/{id}/decline", {
    summary: "Fails the open link of an account, as if its user had denied access.",
    body: z.optional(request({ reason: z.optional(z.string()) })),
    run: ({ emulator, params: { id = "" }, body }) => emulator.accounts.decline(id, body?.reason),
  }),
  control("revokeAccount", "POST", "/accounts/{id}/revoke", {
    summary: "Revokes a connected account.",
    run: ({ emulator, params: { id = "" } }) => emulator.accounts.revoke(id),
  }),
  control("resend", "POST", "/deliveries/{id}/resend", {
    summary: "Sends a delivery again: byte for byte, or signed again with another body, time, or secret.",
    body: z.optional(ResendOptions),
    response: listOf(DeliveryRecord),
    run: ({ emulator, params: { id = "" }, body }) => ({ items: emulator.deliveries.resend(id, body) }),
  }),
  control("replay", "POST", "/replay", {
    summary: "Sends a request with the first project key, such as one of the log, and returns the service's response.",
    body: request({ method: z.string(), path: z.string().check(z.startsWith("/api/")), body: z.string() }),
    response: object({ status: z.int(), body: z.unknown() }),
    run: async ({ engine: { state, serve }, request: { url }, body: { method, path, body } }) => {
      const { apiKey } = activeKeys(state.keys);
      const headers = {
        "content-type": "application/json",
        ...(apiKey !== undefined && { [CREDENTIALS.apiKey.header]: apiKey }),
      };
      const sent = requestTo(new URL(path, url), { method, headers, ...(body !== "" && { body }) });
      const response = await serve(sent).catch((error: unknown) => {
        if (!(error instanceof BrokenConnection)) throw error;
        throw new ConfigError(`The request got no response: a fault broke its connection (${error.how}).`);
      });
      const text = await response.text();
      const parsed = parseJson(text);
      // Faults can send bodies that aren't JSON, or none.
      return { status: response.status, body: text === "" ? null : parsed === undefined ? text : parsed };
    },
  }),
  control("secret", "GET", "/subscriptions/{id}/secret", {
    summary: "Returns the signing secret of a webhook subscription.",
    response: object({ secret: z.string() }),
    run: ({ engine: { state }, params: { id = "" } }) => {
      const subscription = state.webhookSubscriptions.get(id);
      if (!subscription) throw new ConfigError(`There is no webhook subscription ${id}.`);
      return { secret: subscription.secret };
    },
  }),
];

/** How many of the newest records of each kind are shown. */
const SHOWN = 1_000;

/** The state as the inspector shows it: the newest records of each kind, without credentials. */
function stateView({ state, clock, faults, rateLimit }: Assembly, origin: string) {
  const accounts = [...state.connectedAccounts.values()];
  return {
    now: clock.iso(),
    isRunning: clock.isRunning,
    rateLimit: { limit: rateLimit.limit, windowSeconds: rateLimit.windowSeconds, ...rateLimit.usage() },
    faults: faults.items,
    deliveryFaults: state.deliveries.faults,
    logFaults: state.executionLog.faults,
    accounts: newest(accounts).map(({ flow, statusReason: reason, ...account }) => {
      const { id, userId, toolkit, authConfigId, scheme, status, createdAt, updatedAt } = account;
      const link = flow && !flow.isOver ? linkUrl(flow, origin) : null;
      return { id, userId, toolkit, authConfigId, scheme, status, reason, createdAt, updatedAt, linkUrl: link };
    }),
    authConfigs: newest([...state.authConfigs.values()].filter(({ isDeleted }) => !isDeleted)).map((config) => ({
      ...{ id: config.id, name: config.name, toolkit: config.toolkit.slug, scheme: config.auth_scheme },
      ...{ isManaged: config.is_svc_managed, status: config.status },
      accounts: accounts.filter(({ authConfigId }) => authConfigId === config.id).length,
    })),
    triggers: newest([...state.triggers.values()]).map(({ disabledAt, uuid: _, updatedAt: __, ...trigger }) => ({
      ...trigger,
      isEnabled: disabledAt === null,
    })),
    subscriptions: newest([...state.webhookSubscriptions.values()]).map((subscription) => ({
      ...{ id: subscription.id, url: subscription.webhook_url, version: subscription.version },
      ...{ events: subscription.enabled_events, createdAt: subscription.created_at },
      secret: maskSecret(subscription.secret),
    })),
    sessions: newest([...state.sessions.values()]).map(({ id, userId, createdAt, versions }) => {
      return { id, userId, createdAt, config: versions.at(-1)?.config ?? {} };
    }),
    files: [
      ...newest([...state.files.values()]).map((file) => ({
        ...{ id: file.key, name: file.filename, mimetype: file.mimetype, place: `${file.toolkit} · ${file.tool}` },
        ...{ bytes: fileSize(file.base64), sessionId: null },
      })),
      ...newest([...state.mountFiles.values()]).map((file) => ({
        ...{ id: `${file.sessionId}/${file.mountId}/${file.path}`, name: file.path, mimetype: file.mimetype },
        ...{ place: file.mountId, bytes: file.size, sessionId: file.sessionId },
      })),
    ],
  };
}

function newest<Item>(items: readonly Item[]): Item[] {
  return items.slice(-SHOWN).reverse();
}

/** Size of an uploaded file in bytes; null before the upload. */
function fileSize(base64: string | undefined): number | null {
  return base64 === undefined ? null : Math.floor((base64.replace(/=+$/, "").length * 3) / 4);
}

/** The tools and trigger types in their latest versions, with their forms, and all operations. */
function catalogView({ catalog }: Assembly) {
  const items = [...catalog.toolkits.values()].map((toolkit) => {
    const version = latestVersion(toolkit);
    return {
      ...{ slug: toolkit.slug, name: toolkit.name, needsAccount: toolkit.auth.length > 0 },
      ...{ version, versions: versionsOf(toolkit) },
      tools: catalog.toolsOf(toolkit, version).map(({ tool, facts }) => ({
        ...{ slug: tool.slug, name: tool.name, description: facts.description, input: formSchema(facts.input) },
        isDeprecated: facts.isDeprecated ?? false,
      })),
      triggers: (toolkit.triggers ?? []).map((trigger) => {
        const { description, payload } = factsIn(trigger, version);
        return { slug: trigger.slug, name: trigger.name, description, payload: formSchema(payload) };
      }),
    };
  });
  return { items, operations: operations.map(({ endpoint: { name, method, path } }) => ({ name, method, path })) };
}

/** Response of `GET /state`. */
export type InspectorState = ReturnType<typeof stateView>;

/** Response of `GET /catalog`. */
export type InspectorCatalog = ReturnType<typeof catalogView>;

/** @throws {ConfigError} for what the runtime can't send, such as a GET with a body. */
function requestTo(url: URL, init: RequestInit): Request {
  try {
    return new Request(url, init);
  } catch (error) {
    throw new ConfigError(`The request can't be sent: ${messageOf(error)}`);
  }
}
