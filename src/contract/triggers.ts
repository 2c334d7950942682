import * as endpoints from "../resources/triggers/endpoints.js";
import * as shapes from "../resources/triggers/schema.js";
import { type OperationsOf, operation } from "./operation.js";

export const triggers = {
  "triggers.listTypes": operation(endpoints.listTriggerTypes, {
    spec: "Endpoints > Triggers; assumption C4",
    status: 200,
    query: shapes.ListTriggerTypesQuery,
    response: shapes.TriggerTypePage,
  }),
  "triggers.getType": operation(endpoints.getTriggerType, {
    spec: "Endpoints > Triggers; assumption C4",
    status: 200,
    query: shapes.GetTriggerTypeQuery,
    response: shapes.TriggerType,
  }),
  "triggers.enum": operation(endpoints.listTriggerTypeSlugs, {
    spec: "Endpoints > Triggers; assumption C4",
    status: 200,
    response: shapes.TriggerTypeSlugs,
  }),
  "triggers.upsert": operation(endpoints.upsertTrigger, {
    spec: "Endpoints > Triggers; assumption C4",
    // 200 for an instance that existed, 201 for a new one.
    status: [200, 201],
    body: shapes.UpsertTriggerBody,
    response: shapes.UpsertedTrigger,
  }),
  "triggers.listActive": operation(endpoints.listActiveTriggers, {
    spec: "Endpoints > Triggers; assumption C4",
    status: 200,
    query: shapes.ListActiveTriggersQuery,
    response: shapes.TriggerInstancePage,
  }),
  "triggers.setStatus": operation(endpoints.setTriggerStatus, {
    spec: "Endpoints > Triggers; assumption C4",
    status: 200,
    body: shapes.SetTriggerStatusBody,
    response: shapes.TriggerStatusChange,
  }),
  "triggers.delete": operation(endpoints.deleteTrigger, {
    spec: "Endpoints > Triggers; assumption C5",
    status: 200,
    response: shapes.DeletedTrigger,
  }),
} satisfies OperationsOf<typeof endpoints>;
