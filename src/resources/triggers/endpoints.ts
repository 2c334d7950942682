import { typed } from "../../client/endpoint.js";
import { define, endpoints } from "../endpoints.js";
import type * as shapes from "./schema.js";

// The spec ties these operations to v3.1 and to the project key.

export const triggers = endpoints("triggers", () => ({
  listTypes: define("GET /api/v3.1/triggers_types", {
    hasSchemas: true,
    query: typed<shapes.ListTriggerTypesQuery>(),
    response: typed<shapes.TriggerTypePage>(),
  }),
  getType: define("GET /api/v3.1/triggers_types/{slug}", {
    hasSchemas: true,
    query: typed<shapes.GetTriggerTypeQuery>(),
    response: typed<shapes.TriggerType>(),
  }),
  listTypeSlugs: define("GET /api/v3.1/triggers_types/list/enum", {
    responseType: "array",
    response: typed<shapes.TriggerTypeSlugs>(),
  }),
  upsert: define("POST /api/v3.1/trigger_instances/{slug}/upsert", {
    // The same type, account and config is the same instance.
    retry: "idempotent",
    deprecated: ["body.connectedAuthId", "body.triggerConfig", "body.version"],
    body: typed<shapes.UpsertTriggerBody>(),
    response: typed<shapes.UpsertedTrigger>(),
  }),
  listActive: define("GET /api/v3.1/trigger_instances/active", {
    deprecated: [
      "query.connectedAccountIds",
      "query.authConfigIds",
      "query.triggerIds",
      "query.triggerNames",
      "query.showDisabled",
      "query.deprecatedConnectedAccountUuids",
      "query.deprecatedAuthConfigUuids",
    ],
    query: typed<shapes.ListActiveTriggersQuery>(),
    response: typed<shapes.TriggerInstancePage>(),
  }),
  setStatus: define("PATCH /api/v3.1/trigger_instances/manage/{triggerId}", {
    // 409: it has that status already.
    alreadyApplied: { statuses: [409], data: () => ({ status: "success" }) },
    body: typed<shapes.SetTriggerStatusBody>(),
    response: typed<shapes.TriggerStatusChange>(),
  }),
  delete: define("DELETE /api/v3.1/trigger_instances/manage/{triggerId}", {
    // A second deletion gets one of these. Assumption C5.
    alreadyApplied: { statuses: [404, 409, 410], data: ({ triggerId }) => ({ trigger_id: triggerId }) },
    response: typed<shapes.DeletedTrigger>(),
  }),
}));
