import type { JsonObject } from "../definitions.js";

/** A trigger instance with what answers do not show. */
export interface StoredTrigger {
  id: string;
  /** Its id of older times; V1 and V2 events carry it. */
  uuid: string;
  /** Slug of its type. */
  name: string;
  toolkit: string;
  accountId: string;
  userId: string;
  config: JsonObject;
  /** The toolkit version it is bound to. */
  version: string;
  createdAt: string;
  updatedAt: string;
  /** Null while it is enabled. */
  disabledAt: string | null;
  /** Why the service disabled it; null where the caller did. */
  disabledReason: string | null;
}
