export type { EventType } from "../resources/events/schema.js";
export type { VersionChanges } from "./catalog/catalog.js";
export {
  type AuthDefinition,
  type JsonObject,
  ProviderError,
  type ProxiedCall,
  type ToolCall,
  type ToolDefinition,
  type ToolFacts,
  type ToolFile,
  type ToolFiles,
  type ToolkitDefinition,
  type TriggerDefinition,
  type TriggerFacts,
  type WebhookFieldDefinition,
} from "./catalog/definitions.js";
export type { AccountControls } from "./connected-accounts/controls.js";
export type { Deliveries, DeliveryFaults, DeliveryOptions, ResendOptions } from "./deliveries/controls.js";
export { createEmulator, type Emulator } from "./engine/emulator.js";
export type { EmulatorOptions } from "./engine/engine.js";
export type { Activity, ChangedKind, Happening, RecordedMessage, RequestRecord } from "./host/activity.js";
export type { ClockOptions, Duration, EmulatorClock } from "./host/clock.js";
export type { ProjectOptions } from "./host/context.js";
export type {
  DeliveryAttempt,
  DeliveryPost,
  DeliveryRecord,
  EmittedEvent,
  ReceiverResponse,
  Resend,
} from "./host/event-records.js";
export type { FaultOptions, FaultRule, Faults, InjectedFault } from "./host/faults.js";
export type { RateLimitOptions } from "./host/keys-and-rate-limit.js";
export {
  type AuthConfigSeed,
  type ConnectedAccountSeed,
  demoSeed,
  type EmulatorSeed,
  type KeySeed,
  type Keys,
} from "./host/seed-and-account-records.js";
export type { Snapshot } from "./host/state.js";
export type { CatalogControls } from "./toolkits/controls.js";
export type { ToolControls, ToolRun, ToolStub } from "./tools/controls.js";
export type { TriggerControls } from "./triggers/controls.js";
