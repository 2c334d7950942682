import { endpoint, type } from "../../core/endpoint.js";
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
const manage = "/api/v3.1/trigger_instances/manage/{triggerId}";

export const listTriggerTypes = endpoint({
  name: "triggers.listTypes",
  method: "GET",
  path: "/api/v3.1/triggers_types",
  auth: ["apiKey"],
  repeat: "safe",
  query: type<ListTriggerTypesQuery>(),
  response: type<TriggerTypePage>(),
});

export const getTriggerType = endpoint({
  name: "triggers.getType",
  method: "GET",
  path: "/api/v3.1/triggers_types/{slug}",
  auth: ["apiKey"],
  repeat: "safe",
  query: type<GetTriggerTypeQuery>(),
  response: type<TriggerType>(),
});

export const listTriggerTypeSlugs = endpoint({
  name: "triggers.enum",
  method: "GET",
  path: "/api/v3.1/triggers_types/list/enum",
  auth: ["apiKey"],
  repeat: "safe",
  answer: "array",
  response: type<TriggerTypeSlugs>(),
});

export const upsertTrigger = endpoint({
  name: "triggers.upsert",
  method: "POST",
  path: "/api/v3.1/trigger_instances/{slug}/upsert",
  auth: ["apiKey"],
  // The same type, account and config is the same instance.
  repeat: "idempotent",
  deprecated: ["body.connectedAuthId", "body.triggerConfig", "body.version"],
  body: type<UpsertTriggerBody>(),
  response: type<UpsertedTrigger>(),
});

export const listActiveTriggers = endpoint({
  name: "triggers.listActive",
  method: "GET",
  path: "/api/v3.1/trigger_instances/active",
  auth: ["apiKey"],
  repeat: "safe",
  deprecated: [
    "query.connectedAccountIds",
    "query.authConfigIds",
    "query.triggerIds",
    "query.triggerNames",
    "query.showDisabled",
    "query.deprecatedConnectedAccountUuids",
    "query.deprecatedAuthConfigUuids",
  ],
  query: type<ListActiveTriggersQuery>(),
  response: type<TriggerInstancePage>(),
});

export const setTriggerStatus = endpoint({
  name: "triggers.setStatus",
  method: "PATCH",
  path: manage,
  auth: ["apiKey"],
  repeat: "idempotent",
  // 409: it has that status already.
  alreadyDone: { statuses: [409], data: () => ({ status: "success" }) },
  body: type<SetTriggerStatusBody>(),
  response: type<TriggerStatusChange>(),
});

export const deleteTrigger = endpoint({
  name: "triggers.delete",
  method: "DELETE",
  path: manage,
  auth: ["apiKey"],
  repeat: "idempotent",
  // A second deletion is answered with any of these. See assumption C5.
  alreadyDone: { statuses: [404, 409, 410], data: ({ triggerId }) => ({ trigger_id: triggerId }) },
  response: type<DeletedTrigger>(),
});
