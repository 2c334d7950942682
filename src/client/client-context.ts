import type { Redact } from "../shared/redact.js";
import type { CallContext } from "./middleware.js";
import type { Settings } from "./options/settings.js";
import type { Pacer } from "./pacing/pacer.js";

/** Parts that all calls of one client share. */
export interface ClientContext {
  readonly settings: Settings;
  readonly pacer: Pacer;
  readonly redact: Redact;
  readonly send: CallContext["send"];
}
