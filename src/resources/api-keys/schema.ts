import * as z from "zod/mini";
import { list, object, request, string } from "../schema-kit.js";

/** Body of a revocation. */
export const RevokeApiKeysBody = request({
  /** The keys to revoke, at most 100. */
  api_keys: list(string).check(z.maxLength(100)),
});
export interface RevokeApiKeysBody extends z.infer<typeof RevokeApiKeysBody> {}

/** Confirms that the report was accepted. Doesn't show whether the keys existed. */
export const RevokedApiKeys = object({ received: z.literal(true) });
export interface RevokedApiKeys extends z.infer<typeof RevokedApiKeys> {}
