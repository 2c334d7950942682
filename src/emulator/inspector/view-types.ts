import type { Activity } from "../engine/activity.js";
import type { DeliveryAttempt, DeliveryRecord } from "../engine/event-schema.js";
import type { FaultRule, RequestRecord } from "../engine/schema.js";

export type { PendingApproval } from "../../agents/approvals/pending.js";
export type { Activity, DeliveryAttempt, DeliveryRecord, FaultRule, RequestRecord };

/** A call that a toolset reported. */
export type RunCall = Extract<Activity, { type: "run" }>["call"];

/** A JSON Schema, as far as forms read it. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly maxLength?: number;
}

/** A connected account in `GET /_emulator/state`. */
export interface AccountView {
  readonly id: string;
  readonly userId: string;
  readonly toolkit: string;
  readonly authConfigId: string;
  readonly scheme: string;
  readonly status: string;
  readonly reason: string | null;
  readonly updatedAt: string;
  /** URL of the hosted page on which its user can connect; null if none is open. */
  readonly linkUrl: string | null;
}

/** An auth config. */
export interface AuthConfigView {
  readonly id: string;
  readonly name: string;
  readonly toolkit: string;
  readonly scheme: string;
  readonly isManaged: boolean;
  readonly status: string;
  readonly accounts: number;
}

/** A trigger instance. */
export interface TriggerView {
  readonly id: string;
  readonly name: string;
  readonly accountId: string;
  readonly userId: string;
  readonly version: string;
  readonly config: unknown;
  readonly isEnabled: boolean;
  readonly disabledReason: string | null;
}

/** A webhook subscription. */
export interface SubscriptionView {
  readonly id: string;
  readonly url: string;
  readonly version: string;
  readonly events: readonly string[];
  readonly secret: string;
}

/** An agent session. */
export interface SessionView {
  readonly id: string;
  readonly userId: string;
  readonly createdAt: string;
  readonly config: unknown;
}

/** A file of a tool or a session's mount. */
export interface FileView {
  readonly id: string;
  readonly name: string;
  readonly mimetype: string;
  readonly place: string;
  /** Null before the upload. */
  readonly bytes: number | null;
  readonly sessionId: string | null;
}

/** Faults of deliveries. */
export interface DeliveryFaultsView {
  readonly copies: number;
  readonly reorder: boolean;
  readonly delayMs: number;
  readonly skewSeconds: number;
  readonly wrongSecret: boolean;
}

/** `GET /_emulator/state`. */
export interface StateView {
  readonly now: string;
  readonly isRunning: boolean;
  readonly rateLimit: {
    readonly limit: number;
    readonly windowSeconds: number;
    readonly used: number;
    readonly resetsAt: string | null;
  };
  readonly faults: readonly FaultRule[];
  readonly deliveryFaults: DeliveryFaultsView;
  readonly accounts: readonly AccountView[];
  readonly authConfigs: readonly AuthConfigView[];
  readonly triggers: readonly TriggerView[];
  readonly subscriptions: readonly SubscriptionView[];
  readonly sessions: readonly SessionView[];
  readonly files: readonly FileView[];
}

/** A tool with its schema. */
export interface ToolView {
  readonly slug: string;
  readonly name: string;
  readonly description: string;
  readonly input: Schema;
  readonly isDeprecated: boolean;
}

/** A toolkit in `GET /_emulator/catalog`. */
export interface ToolkitView {
  readonly slug: string;
  readonly name: string;
  readonly version: string;
  /** Newest last. */
  readonly versions: readonly string[];
  readonly needsAccount: boolean;
  readonly tools: readonly ToolView[];
  readonly triggers: readonly { readonly slug: string; readonly name: string; readonly payload: Schema }[];
}

/** An operation of the service. */
export interface OperationView {
  readonly name: string;
  readonly method: string;
  readonly path: string;
}

/** `GET /_emulator/catalog`. */
export interface CatalogView {
  readonly items: readonly ToolkitView[];
  readonly operations: readonly OperationView[];
}
