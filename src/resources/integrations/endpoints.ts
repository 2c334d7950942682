import { typed } from "../../client/endpoint.js";
import { define, endpoints } from "../endpoints.js";
import type * as shapes from "./schema.js";

export const integrations = endpoints("integrations", () => ({
  update: define("PATCH /api/v1/integrations/{integrationId}", {
    // The spec has a 204 with a JSON `status`, but a 204 has no body. Assumption A5.
    noContent: { status: "success" },
    deprecated: ["operation"],
    body: typed<shapes.UpdateIntegrationBody>(),
    response: typed<shapes.UpdatedIntegration>(),
  }),
}));
