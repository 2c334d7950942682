import * as z from "zod/mini";
import { boolean, JsonObject, object, openEnum, request } from "../schema-kit.js";

/** Changes to a legacy connector. */
export const UpdateIntegrationBody = request({
  /** Credentials and settings of the connector. */
  authConfig: z.optional(JsonObject),
  /** If false, the connector processes no requests. */
  enabled: z.optional(boolean),
});
export interface UpdateIntegrationBody extends z.infer<typeof UpdateIntegrationBody> {}

/** Response to changing a legacy connector. */
export const UpdatedIntegration = object({
  /** `success` if it was changed. */
  status: openEnum(["success"]),
});
export interface UpdatedIntegration extends z.infer<typeof UpdatedIntegration> {}
