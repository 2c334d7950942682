import type * as endpoints from "../resources/api-keys/endpoints.js";
import * as shapes from "../resources/api-keys/schema.js";
import type { SchemasFor } from "./operation.js";

export const apiKeys = {
  "apiKeys.revoke": {
    spec: "assumption C8",
    status: 200,
    body: shapes.RevokeApiKeysBody,
    response: shapes.RevokedApiKeys,
  },
} satisfies SchemasFor<typeof endpoints>;
