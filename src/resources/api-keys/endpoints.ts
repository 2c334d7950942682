import { typed } from "../../client/endpoint.js";
import { define, endpoints } from "../endpoints.js";
import type * as shapes from "./schema.js";

export const apiKeys = endpoints("apiKeys", () => ({
  // Known on v3.1 only, so it keeps its prefix on a v3 client too. Assumption C8.
  revoke: define("POST /api/v3.1/api_key_revocation", {
    // The keys in the body are the only credential it needs.
    auth: [],
    // A revoked key stays revoked, so a retry changes nothing more.
    retry: "idempotent",
    body: typed<shapes.RevokeApiKeysBody>(),
    response: typed<shapes.RevokedApiKeys>(),
  }),
}));
