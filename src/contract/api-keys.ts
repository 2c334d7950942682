import * as endpoints from "../resources/api-keys/endpoints.js";
import * as shapes from "../resources/api-keys/schema.js";
import { type OperationsOf, operation } from "./operation.js";

export const apiKeys = {
  "apiKeys.revoke": operation(endpoints.revokeApiKeys, {
    spec: "assumption C8",
    status: 200,
    body: shapes.RevokeApiKeysBody,
    response: shapes.RevokedApiKeys,
  }),
} satisfies OperationsOf<typeof endpoints>;
