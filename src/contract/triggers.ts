import type * as endpoints from "../resources/triggers/endpoints.js";
import * as shapes from "../resources/triggers/schema.js";
import type { SchemasFor } from "./operation.js";

export const triggers = {
  "triggers.listTypes": {
    spec: "Endpoints > Triggers; assumption C4",
    status: 200,
    query: shapes.ListTriggerTypesQuery,
    response: shapes.TriggerTypePage,
  },
  "triggers.getType": {
    spec: "Endpoints > Triggers; assumption C4",
    status: 200,
    query: shapes.GetTriggerTypeQuery,
    response: shapes.TriggerType,
  },
  "triggers.enum": { spec: "Endpoints > Triggers; assumption C4", status: 200, response: shapes.TriggerTypeSlugs },
  "triggers.upsert": {
    spec: "Endpoints > Triggers; assumption C4",
    // 200 for an instance that existed, 201 for a new one.
    status: [200, 201],
    body: shapes.UpsertTriggerBody,
    response: shapes.UpsertedTrigger,
  },
  "triggers.listActive": {
    spec: "Endpoints > Triggers; assumption C4",
    status: 200,
    query: shapes.ListActiveTriggersQuery,
    response: shapes.TriggerInstancePage,
  },
  "triggers.setStatus": {
    spec: "Endpoints > Triggers; assumption C4",
    status: 200,
    body: shapes.SetTriggerStatusBody,
    response: shapes.TriggerStatusChange,
  },
  "triggers.delete": { spec: "Endpoints > Triggers; assumption C5", status: 200, response: shapes.DeletedTrigger },
} satisfies SchemasFor<typeof endpoints>;
