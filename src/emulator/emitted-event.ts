import type { EventType } from "../resources/events/schema.js";
import type { JsonObject } from "./definitions.js";

/** An event that the emulated service emitted, in the current format. */
export interface EmittedEvent {
  /** `msg_` and a UUID for trigger messages, `evt_` and a UUID for the others. */
  readonly id: string;
  /** Decides which subscriptions receive it. */
  readonly type: EventType;
  /** When it happened, ISO 8601. */
  readonly timestamp: string;
  /** What the event is about. */
  readonly metadata: JsonObject;
  /** The event itself. */
  readonly data: JsonObject;
  /** For trigger messages: the ids of older times that the V1 and V2 formats carry. */
  readonly legacy?: {
    /** `trigger_id` of V1 and V2. */
    readonly triggerUuid: string;
    /** `connection_id` of V1 and V2. */
    readonly connectionUuid: string;
  };
}
