import { endpoint, typed } from "../../core/endpoint.js";
import type {
  DeletedTrigger,
  GetTriggerTypeQuery,
  ListActiveTriggersQuery,
  ListTriggerTypesQuery,
  SetTriggerStatusBody,
  TriggerInstancePage,
  TriggerStatusChange,
  TriggerType,
  TriggerTypePage,
  TriggerTypeSlugs,
  UpsertedTrigger,
  UpsertTriggerBody,
} from "./schema.js";

// The spec ties these operations to v3.1 and to the project key.

export const listTriggerTypes = endpoint({
  name: "triggers.listTypes",
  method: "GET",
  path: "/api/v3.1/triggers_types",
  auth: ["apiKey"],
  retry: "safe",
  query: typed<ListTriggerTypesQuery>(),
  response: typed<TriggerTypePage>(),
});

export const getTriggerType = endpoint({
  name: "triggers.getType",
  method: "GET",
  path: "/api/v3.1/triggers_types/{slug}",
  auth: ["apiKey"],
  retry: "safe",
  query: typed<GetTriggerTypeQuery>(),
  response: typed<TriggerType>(),
});

export const listTriggerTypeSlugs = endpoint({
  name: "triggers.enum",
  method: "GET",
  path: "/api/v3.1/triggers_types/list/enum",
  auth: ["apiKey"],
  retry: "safe",
  responseType: "array",
  response: typed<TriggerTypeSlugs>(),
});

export const upsertTrigger = endpoint({
  name: "triggers.upsert",
  method: "POST",
  path: "/api/v3.1/trigger_instances/{slug}/upsert",
  auth: ["apiKey"],
  // The same type, account and config is the same instance.
  retry: "idempotent",
  deprecated: ["body.connectedAuthId", "body.triggerConfig", "body.version"],
  body: typed<UpsertTriggerBody>(),
  response: typed<UpsertedTrigger>(),
});

export const listActiveTriggers = endpoint({
  name: "triggers.listActive",
  method: "GET",
  path: "/api/v3.1/trigger_instances/active",
  auth: ["apiKey"],
  retry: "safe",
  deprecated: [
    "query.connectedAccountIds",
    "query.authConfigIds",
    "query.triggerIds",
    "query.triggerNames",
    "query.showDisabled",
    "query.deprecatedConnectedAccountUuids",
    "query.deprecatedAuthConfigUuids",
  ],
  query: typed<ListActiveTriggersQuery>(),
  response: typed<TriggerInstancePage>(),
});

export const setTriggerStatus = endpoint({
  name: "triggers.setStatus",
  method: "PATCH",
  path: "/api/v3.1/trigger_instances/manage/{triggerId}",
  auth: ["apiKey"],
  retry: "idempotent",
  // 409: it has that status already.
  alreadyApplied: { statuses: [409], data: () => ({ status: "success" }) },
  body: typed<SetTriggerStatusBody>(),
  response: typed<TriggerStatusChange>(),
});

export const deleteTrigger = endpoint({
  name: "triggers.delete",
  method: "DELETE",
  path: "/api/v3.1/trigger_instances/manage/{triggerId}",
  auth: ["apiKey"],
  retry: "idempotent",
  // A second deletion gets one of these. Assumption C5.
  alreadyApplied: { statuses: [404, 409, 410], data: ({ triggerId }) => ({ trigger_id: triggerId }) },
  response: typed<DeletedTrigger>(),
});
