import type { WebhookEndpoint } from "../../resources/webhook-endpoints/schema.js";
import { findToolkit } from "../engine/check-request.js";
import type { Engine, HandlersOf } from "../engine/engine.js";
import type { StoredProject, StoredWebhookEndpoint } from "../engine/project-records.js";
import { maskSecret } from "../engine/recording.js";
import { ApiFailure, Created, checkId, invalidRequest, notFound } from "../engine/responses.js";
import { recordsOf } from "../engine/state.js";

// The toolkits with endpoints, and their fields, are assumptions. Assumption E29.
export const webhookEndpoints: HandlersOf<"webhookEndpoints"> = {
  "webhookEndpoints.schema": ({ query, ...engine }) => {
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
    endpoint.data = { ...endpoint.data, ...body.data };
    return shownEndpoint(endpoint, call);
  },

  "webhookEndpoints.replace": ({ params, body, ...call }) => {
    const endpoint = findEndpoint(params.nano_id, call);
    checkFields(endpoint, body.data, call);
    const missing = Object.entries(fieldsOf(endpoint, call)).filter(
      ([name, { isRequired }]) => isRequired && body.data[name] === undefined,
    );
    if (missing.length > 0) throw invalidRequest(missing.map(([name]) => `body.data.${name}: required, but missing`));
    endpoint.data = { ...body.data };
    return shownEndpoint(endpoint, call);
  },
};

function findEndpoint(id: string, { project, state }: Pick<Engine, "state"> & { readonly project: StoredProject }) {
  checkId(id, "we_", "nano_id");
  const endpoint = state.webhookEndpoints.get(id);
  if (endpoint?.projectId === project.id) return endpoint;
  throw notFound("WebhookEndpoint", `Webhook endpoint ${id}`, 10404);
}

function fieldsOf({ toolkit_slug }: StoredWebhookEndpoint, { catalog }: Engine) {
  return catalog.toolkits.get(toolkit_slug)?.webhookFields ?? {};
}

function checkFields(endpoint: StoredWebhookEndpoint, data: Readonly<Record<string, string>>, engine: Engine): void {
  const known = Object.keys(fieldsOf(endpoint, engine));
  const unknown = Object.keys(data).filter((name) => !known.includes(name));
  if (unknown.length > 0) throw invalidRequest(unknown.map((name) => `body.data.${name}: no such field`));
}

function shownEndpoint(endpoint: StoredWebhookEndpoint, engine: Engine): WebhookEndpoint {
  const { projectId: _, ...shown } = endpoint;
  const data = Object.entries(fieldsOf(endpoint, engine)).flatMap(([name, { isSecret }]) => {
    const value = endpoint.data[name];
    return value === undefined ? [] : [[name, isSecret ? maskSecret(value) : value] as const];
  });
  return { ...shown, data: data.length > 0 ? Object.fromEntries(data) : null };
}
