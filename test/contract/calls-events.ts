import type { OperationName } from "../../src/contract/index.js";
import { ApiError, BadRequestError, ConflictError, NotFoundError } from "../../src/index.js";
import { type Case, type CaseContext, wrongKey } from "./case.js";

type Area = "triggers" | "webhookSubscriptions" | "webhookEndpoints";
type Name = Extract<OperationName, `${Area}.${string}`>;

const missing = { as: NotFoundError, status: 404 };
const missingType = { ...missing, condition: "trigger_not_found" } as const;
const bad = { as: BadRequestError, status: 400 };
/** Listens for commits; returns the instance's id. */
async function aTrigger({ svc }: CaseContext): Promise<string> {
  const config = { owner: "octo-org", repo: "hello-world" };
  const body = { connected_account_id: "ca_github_demo", trigger_config: config };
  return (await svc.triggers.upsert("GITHUB_COMMIT_EVENT", body)).trigger_id;
}

const subscription = { webhook_url: "https://app.example/events", enabled_events: ["svc.trigger.message"] };

async function aSubscription({ svc }: CaseContext): Promise<string> {
  return (await svc.webhookSubscriptions.create(subscription)).id;
}

async function anEndpoint({ svc }: CaseContext): Promise<string> {
  return (await svc.webhookEndpoints.create({ toolkit_slug: "slack", client_id: "client-1" })).id;
}

export const events: Readonly<Record<Name, Case>> = {
  "triggers.listTypes": {
    published: ["GET", "v3.1", "/triggers_types", "P", "safe", 200],
    happy: ({ svc }) => svc.triggers.listTypes({ toolkit_slugs: ["github"] }),
    error: ({ svc }) => svc.triggers.listTypes({ cursor: "no cursor" }),
    refused: bad,
  },
  "triggers.getType": {
    published: ["GET", "v3.1", "/triggers_types/{slug}", "P", "safe", 200],
    happy: ({ svc }) => svc.triggers.getType("GITHUB_COMMIT_EVENT"),
    error: ({ svc }) => svc.triggers.getType("GITHUB_NO_SUCH_EVENT"),
    refused: missingType,
  },
  "triggers.listTypeSlugs": {
    published: ["GET", "v3.1", "/triggers_types/list/enum", "P", "safe", 200],
    happy: ({ svc }) => svc.triggers.listTypeSlugs(),
    error: ({ stranger }) => stranger.triggers.listTypeSlugs(),
    refused: wrongKey,
  },
  "triggers.upsert": {
    published: ["POST", "v3.1", "/trigger_instances/{slug}/upsert", "P", "idempotent", 200, 201],
    happy: aTrigger,
    error: ({ svc }) => svc.triggers.upsert("GITHUB_NO_SUCH_EVENT", { user_id: "user-4711" }),
    refused: missingType,
  },
  "triggers.listActive": {
    published: ["GET", "v3.1", "/trigger_instances/active", "P", "safe", 200],
    happy: ({ svc }) => svc.triggers.listActive({ show_disabled: true }),
    error: ({ svc }) => svc.triggers.listActive({ cursor: "no cursor" }),
    refused: bad,
  },
  "triggers.setStatus": {
    published: ["PATCH", "v3.1", "/trigger_instances/manage/{triggerId}", "P", "idempotent", 200],
    happy: async (context) => context.svc.triggers.disable(await aTrigger(context)),
    error: async (context) => context.svc.triggers.enable(await aTrigger(context)),
    refused: { as: ConflictError, status: 409 },
  },
  "triggers.delete": {
    published: ["DELETE", "v3.1", "/trigger_instances/manage/{triggerId}", "P", "idempotent", 200],
    happy: async (context) => context.svc.triggers.delete(await aTrigger(context)),
    error: async (context) => {
      const id = await aTrigger(context);
      await context.svc.triggers.delete(id);
      await context.svc.triggers.delete(id);
    },
    refused: { as: ApiError, status: 410, condition: "trigger_instance_deleted" },
  },

  "webhookSubscriptions.create": {
    published: ["POST", "v3.1", "/webhook_subscriptions", "P", "effect", 201],
    happy: aSubscription,
    error: async (context) => {
      await aSubscription(context);
      await aSubscription(context);
    },
    refused: { as: ConflictError, status: 409 },
  },
  "webhookSubscriptions.list": {
    published: ["GET", "v3.1", "/webhook_subscriptions", "P", "safe", 200],
    happy: ({ svc }) => svc.webhookSubscriptions.list(),
    error: ({ svc }) => svc.webhookSubscriptions.list({ cursor: "no cursor" }),
    refused: bad,
  },
  "webhookSubscriptions.get": {
    published: ["GET", "v3.1", "/webhook_subscriptions/{id}", "P", "safe", 200],
    happy: async (context) => context.svc.webhookSubscriptions.get(await aSubscription(context)),
    error: ({ svc }) => svc.webhookSubscriptions.get("ws_unknown"),
    refused: missing,
  },
  "webhookSubscriptions.update": {
    published: ["PATCH", "v3.1", "/webhook_subscriptions/{id}", "P", "idempotent", 200],
    happy: async (context) => context.svc.webhookSubscriptions.update(await aSubscription(context), { version: "V2" }),
    // The expired event exists with V3 only.
    error: async (context) =>
      context.svc.webhookSubscriptions.update(await aSubscription(context), {
        version: "V1",
        enabled_events: ["svc.connected_account.expired"],
      }),
    refused: bad,
  },
  "webhookSubscriptions.delete": {
    published: ["DELETE", "v3.1", "/webhook_subscriptions/{id}", "P", "idempotent", 200],
    happy: async (context) => context.svc.webhookSubscriptions.delete(await aSubscription(context)),
    error: ({ svc }) => svc.webhookSubscriptions.delete("ws_unknown"),
    refused: missing,
  },
  "webhookSubscriptions.rotateSecret": {
    published: ["POST", "v3.1", "/webhook_subscriptions/{id}/rotate_secret", "P", "effect", 200],
    happy: async (context) => context.svc.webhookSubscriptions.rotateSecret(await aSubscription(context)),
    error: ({ svc }) => svc.webhookSubscriptions.rotateSecret("ws_unknown"),
    refused: missing,
  },
  "webhookSubscriptions.listEventTypes": {
    published: ["GET", "v3.1", "/webhook_subscriptions/event_types", "P", "safe", 200],
    happy: ({ svc }) => svc.webhookSubscriptions.listEventTypes(),
    error: ({ stranger }) => stranger.webhookSubscriptions.listEventTypes(),
    refused: wrongKey,
  },

  "webhookEndpoints.getSchema": {
    published: ["GET", "both", "/webhook_endpoints/schema", "P", "safe", 200],
    happy: ({ svc }) => svc.webhookEndpoints.getSchema({ toolkit_slug: "slack" }),
    error: ({ svc }) => svc.webhookEndpoints.getSchema({ toolkit_slug: "no-such-toolkit" }),
    refused: missing,
  },
  "webhookEndpoints.create": {
    published: ["POST", "both", "/webhook_endpoints", "P", "idempotent", 200, 201],
    happy: anEndpoint,
    error: ({ svc }) => svc.webhookEndpoints.create({ toolkit_slug: "no-such-toolkit", client_id: "client-1" }),
    refused: missing,
  },
  "webhookEndpoints.list": {
    published: ["GET", "both", "/webhook_endpoints", "P", "safe", 200],
    happy: ({ svc }) => svc.webhookEndpoints.list(),
    error: ({ stranger }) => stranger.webhookEndpoints.list(),
    refused: wrongKey,
  },
  "webhookEndpoints.get": {
    published: ["GET", "both", "/webhook_endpoints/{nano_id}", "P", "safe", 200],
    happy: async (context) => context.svc.webhookEndpoints.get(await anEndpoint(context)),
    error: ({ svc }) => svc.webhookEndpoints.get("we_unknown"),
    refused: missing,
  },
  "webhookEndpoints.update": {
    published: ["PATCH", "both", "/webhook_endpoints/{nano_id}", "P", "idempotent", 200],
    happy: async (context) =>
      context.svc.webhookEndpoints.update(await anEndpoint(context), { data: { team_id: "T1" } }),
    error: async (context) =>
      context.svc.webhookEndpoints.update(await anEndpoint(context), { data: { no_such_field: "x" } }),
    refused: bad,
  },
  "webhookEndpoints.replace": {
    published: ["POST", "both", "/webhook_endpoints/{nano_id}", "P", "effect", 200],
    happy: async (context) =>
      context.svc.webhookEndpoints.replace(await anEndpoint(context), { data: { signing_secret: "s" } }),
    error: async (context) =>
      context.svc.webhookEndpoints.replace(await anEndpoint(context), { data: { team_id: "T1" } }),
    refused: bad,
  },
};
