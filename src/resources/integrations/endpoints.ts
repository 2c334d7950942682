import { endpoint, typed } from "../../core/endpoint.js";
import type { UpdatedIntegration, UpdateIntegrationBody } from "./schema.js";

export const updateIntegration = endpoint({
  name: "integrations.update",
  method: "PATCH",
  path: "/api/v1/integrations/{integrationId}",
  auth: ["apiKey"],
  retry: "idempotent",
  // The spec has a 204 with a JSON `status`, but a 204 has no body. Assumption A5.
  noContent: { status: "success" },
  deprecated: ["operation"],
  body: typed<UpdateIntegrationBody>(),
  response: typed<UpdatedIntegration>(),
});
