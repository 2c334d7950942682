import * as endpoints from "../resources/integrations/endpoints.js";
import * as shapes from "../resources/integrations/schema.js";
import { type OperationsOf, operation } from "./operation.js";

export const integrations = {
  "integrations.update": operation(endpoints.updateIntegration, {
    spec: "Legacy connector update",
    status: 204,
    body: shapes.UpdateIntegrationBody,
    response: shapes.UpdatedIntegration,
  }),
} satisfies OperationsOf<typeof endpoints>;
