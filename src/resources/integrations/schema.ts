import * as z from "zod/mini";
import { JsonObject, object, openEnum, request } from "../../schema-kit.js";

/** A change of a legacy connector. Spec: Legacy connector update. */
export const UpdateIntegrationBody = request({
  /** Credentials and settings of the connector. */
  authConfig: z.optional(JsonObject),
  /** False makes the connector process no requests. */
  enabled: z.optional(z.boolean()),
});
/** A change of a legacy connector. Spec: Legacy connector update. */
export interface UpdateIntegrationBody extends z.infer<typeof UpdateIntegrationBody> {}

/** What the change of a legacy connector answers. */
export const UpdatedIntegration = object({
  /** `success` when it was changed. */
  status: openEnum(["success"]),
});
/** What the change of a legacy connector answers. */
export interface UpdatedIntegration extends z.infer<typeof UpdatedIntegration> {}
