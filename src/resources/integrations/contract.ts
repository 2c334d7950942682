import { byName, type OperationsOf, operation } from "../operation.js";
import * as endpoints from "./endpoints.js";
import * as shapes from "./schema.js";

export const integrations = byName(
  operation(endpoints.updateIntegration, {
    spec: "Legacy connector update",
    status: 204,
    body: shapes.UpdateIntegrationBody,
    response: shapes.UpdatedIntegration,
  }),
) satisfies OperationsOf<typeof endpoints>;
