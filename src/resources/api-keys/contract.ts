import { byName, type OperationsOf, operation } from "../operation.js";
import * as endpoints from "./endpoints.js";
import * as shapes from "./schema.js";

export const apiKeys = byName(
  operation(endpoints.revokeApiKeys, {
    spec: "assumption C8",
    status: 200,
    body: shapes.RevokeApiKeysBody,
    response: shapes.RevokedApiKeys,
  }),
) satisfies OperationsOf<typeof endpoints>;
