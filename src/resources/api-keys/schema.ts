import * as z from "zod/mini";
import { object, request } from "../../schema-kit.js";

/** Body of a revocation. */
export const RevokeApiKeysBody = request({
  /** The keys themselves, at most 100. */
  api_keys: z.array(z.string()).check(z.maxLength(100)),
});
/** Body of a revocation. */
export interface RevokeApiKeysBody extends z.infer<typeof RevokeApiKeysBody> {}

/** The report was taken. It does not tell which of the keys existed. */
export const RevokedApiKeys = object({ received: z.literal(true) });
/** The report was taken. It does not tell which of the keys existed. */
export interface RevokedApiKeys extends z.infer<typeof RevokedApiKeys> {}
