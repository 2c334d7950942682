// The room of webhook subscriptions, to which `deliveries` sends events, and of webhook endpoints, the URLs for
// providers. It imports `engine`, `toolkits` and `src/resources`. Start here, then `rules.ts`.

import { NO_SUCH_FIELD } from "../../errors/mismatch-words.js";
import type { WebhookEndpoint } from "../../resources/webhook-endpoints/schema.js";
import type { WebhookSubscription } from "../../resources/webhook-subscriptions/schema.js";
import { SECRET_START } from "../../shared/credentials.js";
import type { Engine, HandlersOf, ProjectEngine } from "../engine/engine.js";
import { maskAsService } from "../engine/masking.js";
import { paginate } from "../engine/pages.js";
import type { StoredWebhookEndpoint, StoredWebhookSubscription } from "../engine/project-records.js";
import { ApiFailure, Created, checkId, invalidRequest, notFound } from "../engine/responses.js";
import { recordsOf } from "../engine/state.js";
import { findToolkit } from "../toolkits/find-tool.js";
import { checkSettings, EVENT_TYPE_LIST } from "./rules.js";

export const webhookSubscriptions: HandlersOf<"webhookSubscriptions"> = {
  "webhookSubscriptions.create": ({ body, project, ...engine }) => {
    const { state, ids, clock, settings } = engine;
    const { webhook_url, enabled_events, version = "V3" } = body;
    checkSettings({ webhook_url, enabled_events, version });
    if (recordsOf(project, state.webhookSubscriptions).length >= settings.subscriptionsPerProject) {
      const message = "This project already has a webhook subscription";
      throw new ApiFailure(409, 10409, "WebhookSubscription_Conflict", message, "Update the existing subscription");
    }
    const now = clock.iso();
    const subscription: StoredWebhookSubscription = {
      id: ids.next("ws_"),
      projectId: project.id,
      webhook_url,
      version,
      enabled_events: [...new Set(enabled_events)],
      secret: newSecret(engine),
      created_at: now,
      updated_at: now,
    };
    state.webhookSubscriptions.set(subscription.id, subscription);
    return shownSubscription(subscription);
  },

  "webhookSubscriptions.list": ({ query, project, state }) =>
    paginate(recordsOf(project, state.webhookSubscriptions).map(shownSubscription), query),

  "webhookSubscriptions.get": ({ params, ...call }) => shownSubscription(findSubscription(params.id, call)),

  "webhookSubscriptions.update": ({ params, body, ...call }) => {
    const subscription = findSubscription(params.id, call);
    const {
      webhook_url = subscription.webhook_url,
      enabled_events = subscription.enabled_events,
      version = subscription.version,
    } = body;
    checkSettings({ webhook_url, enabled_events, version });
    const unique = [...new Set(enabled_events)];
    const changed = { webhook_url, enabled_events: unique, version, updated_at: call.clock.iso() };
    return shownSubscription(call.state.webhookSubscriptions.update(subscription.id, changed));
  },

  "webhookSubscriptions.delete": ({ params, ...call }) => {
    call.state.webhookSubscriptions.delete(findSubscription(params.id, call).id);
    return { success: true };
  },

  "webhookSubscriptions.rotateSecret": ({ params, ...call }) => {
    const { id } = findSubscription(params.id, call);
    const secret = newSecret(call);
    call.state.webhookSubscriptions.update(id, { secret, updated_at: call.clock.iso() });
    return { id, secret };
  },

  "webhookSubscriptions.listEventTypes": () => ({ items: structuredClone(EVENT_TYPE_LIST) }),
};

function findSubscription(id: string, { project, state }: ProjectEngine) {
  const subscription = state.webhookSubscriptions.get(id);
  if (subscription?.projectId === project.id) return subscription;
  throw notFound("WebhookSubscription", `Webhook subscription ${id}`, 10404);
}

function shownSubscription({ projectId: _, ...subscription }: StoredWebhookSubscription): WebhookSubscription {
  return structuredClone(subscription);
}

function newSecret({ ids }: Engine): string {
  return `${SECRET_START}${ids.uuid().replaceAll("-", "")}`;
}

// The toolkits with endpoints, and their fields, are assumptions. Assumption E29.
export const webhookEndpoints: HandlersOf<"webhookEndpoints"> = {
  "webhookEndpoints.getSchema": ({ query, ...engine }) => {
    const fields = Object.entries(findToolkit(engine.catalog, query.toolkit_slug).webhookFields ?? {});
    return {
      toolkit_slug: query.toolkit_slug,
      setup_fields: Object.fromEntries(
        fields.map(([name, { displayName, description, isRequired, isSecret }]) => [
          name,
          { display_name: displayName, description, is_required: isRequired, is_secret: isSecret },
        ]),
      ),
    };
  },

  "webhookEndpoints.create": ({ body, origin, project, ...engine }) => {
    const toolkit = findToolkit(engine.catalog, body.toolkit_slug);
    if (!toolkit.webhookFields) {
      const message = `Toolkit ${toolkit.slug} takes no webhook endpoints`;
      throw new ApiFailure(400, 10400, "WebhookEndpoint_BadRequest", message);
    }
    const { state, ids, clock } = engine;
    const existing = recordsOf(project, state.webhookEndpoints).find(
      ({ toolkit_slug, client_id }) => toolkit_slug === toolkit.slug && client_id === body.client_id,
    );
    if (existing) return shownEndpoint(existing, engine);
    const id = ids.next("we_");
    const endpoint: StoredWebhookEndpoint = {
      id,
      projectId: project.id,
      toolkit_slug: toolkit.slug,
      client_id: body.client_id,
      webhook_url: `${origin}/api/v3.1/webhook_ingress/${toolkit.slug}/${id}/trigger_event`,
      data: {},
      created_at: clock.iso(),
    };
    state.webhookEndpoints.set(id, endpoint);
    return new Created(shownEndpoint(endpoint, engine));
  },

  "webhookEndpoints.list": ({ query, project, state }) => ({
    items: recordsOf(project, state.webhookEndpoints)
      .filter(({ toolkit_slug }) => query.toolkit_slug === undefined || toolkit_slug === query.toolkit_slug)
      .map(({ id, toolkit_slug, client_id }) => ({ id, toolkit_slug, client_id })),
  }),

  "webhookEndpoints.get": ({ params, ...call }) => shownEndpoint(findEndpoint(params.nano_id, call), call),

  "webhookEndpoints.update": ({ params, body, ...call }) => {
    const endpoint = findEndpoint(params.nano_id, call);
    checkFields(endpoint, body.data, call);
    const data = { ...endpoint.data, ...body.data };
    return shownEndpoint(call.state.webhookEndpoints.update(endpoint.id, { data }), call);
  },

  "webhookEndpoints.replace": ({ params, body, ...call }) => {
    const endpoint = findEndpoint(params.nano_id, call);
    checkFields(endpoint, body.data, call);
    const missing = Object.entries(setupFields(endpoint, call)).filter(
      ([name, { isRequired }]) => isRequired && body.data[name] === undefined,
    );
    if (missing.length > 0) throw invalidRequest(missing.map(([name]) => `body.data.${name}: required, but missing`));
    return shownEndpoint(call.state.webhookEndpoints.update(endpoint.id, { data: { ...body.data } }), call);
  },
};

function findEndpoint(id: string, { project, state }: ProjectEngine) {
  checkId(id, "we_", "nano_id");
  const endpoint = state.webhookEndpoints.get(id);
  if (endpoint?.projectId === project.id) return endpoint;
  throw notFound("WebhookEndpoint", `Webhook endpoint ${id}`, 10404);
}

function setupFields({ toolkit_slug }: StoredWebhookEndpoint, { catalog }: Engine) {
  return catalog.toolkits.get(toolkit_slug)?.webhookFields ?? {};
}

function checkFields(endpoint: StoredWebhookEndpoint, data: Readonly<Record<string, string>>, engine: Engine): void {
  const known = Object.keys(setupFields(endpoint, engine));
  const unknown = Object.keys(data).filter((name) => !known.includes(name));
  if (unknown.length > 0) throw invalidRequest(unknown.map((name) => `body.data.${name}: ${NO_SUCH_FIELD}`));
}

function shownEndpoint(endpoint: StoredWebhookEndpoint, engine: Engine): WebhookEndpoint {
  const { projectId: _, ...shown } = endpoint;
  const data = Object.entries(setupFields(endpoint, engine)).flatMap(([name, { isSecret }]) => {
    const value = endpoint.data[name];
    return value === undefined ? [] : [[name, isSecret ? maskAsService(value) : value] as const];
  });
  return { ...shown, data: data.length > 0 ? Object.fromEntries(data) : null };
}
