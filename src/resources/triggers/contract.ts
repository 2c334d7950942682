import { byName, type OperationsOf, operation } from "../operation.js";
import * as endpoints from "./endpoints.js";
import * as shapes from "./schema.js";

export const triggers = byName(
  operation(endpoints.listTriggerTypes, {
    spec: "Endpoints > Triggers; assumption C4",
    status: 200,
    query: shapes.ListTriggerTypesQuery,
    response: shapes.TriggerTypePage,
  }),
  operation(endpoints.getTriggerType, {
    spec: "Endpoints > Triggers; assumption C4",
    status: 200,
    query: shapes.GetTriggerTypeQuery,
    response: shapes.TriggerType,
  }),
  operation(endpoints.listTriggerTypeSlugs, {
    spec: "Endpoints > Triggers; assumption C4",
    status: 200,
    response: shapes.TriggerTypeSlugs,
  }),
  operation(endpoints.upsertTrigger, {
    spec: "Endpoints > Triggers; assumption C4",
    // 200 for an instance that existed, 201 for a new one.
    status: [200, 201],
    body: shapes.UpsertTriggerBody,
    response: shapes.UpsertedTrigger,
  }),
  operation(endpoints.listActiveTriggers, {
    spec: "Endpoints > Triggers; assumption C4",
    status: 200,
    query: shapes.ListActiveTriggersQuery,
    response: shapes.TriggerInstancePage,
  }),
  operation(endpoints.setTriggerStatus, {
    spec: "Endpoints > Triggers; assumption C4",
    status: 200,
    body: shapes.SetTriggerStatusBody,
    response: shapes.TriggerStatusChange,
  }),
  operation(endpoints.deleteTrigger, {
    spec: "Endpoints > Triggers; assumption C5",
    status: 200,
    response: shapes.DeletedTrigger,
  }),
) satisfies OperationsOf<typeof endpoints>;
