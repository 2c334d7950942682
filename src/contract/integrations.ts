import type * as endpoints from "../resources/integrations/endpoints.js";
import * as shapes from "../resources/integrations/schema.js";
import type { SchemasFor } from "./operation.js";

export const integrations = {
  "integrations.update": {
    spec: "Legacy connector update",
    status: 204,
    body: shapes.UpdateIntegrationBody,
    response: shapes.UpdatedIntegration,
  },
} satisfies SchemasFor<typeof endpoints>;
