export type { EventType } from "../resources/events/schema.js";
export type { RunCall, RunDecision, RunFacts, RunQuestion, RunStatus, RunStep, RunTool } from "../shared/run-report.js";
export { createEmulator } from "./assembly/emulator.js";
export type { Emulator, EmulatorOptions } from "./assembly/interface.js";
export {
  type AuthDefinition,
  type JsonObject,
  ProviderError,
  type ProxiedCall,
  type ToolDefinition,
  type ToolFile,
  type ToolFiles,
  type ToolkitDefinition,
  type ToolRunContext,
  type TriggerDefinition,
  type WebhookFieldDefinition,
} from "./catalog/definitions.js";
export type {
  ToolVersionChanges,
  ToolVersionFields,
  TriggerVersionChanges,
  TriggerVersionFields,
  VersionChanges,
} from "./catalog/schema.js";
export type { AccountControls } from "./connected-accounts/controls.js";
export type { Deliveries, DeliveryFaults, DeliveryOptions, ResendOptions } from "./deliveries/controls.js";
export type { Activity, ActivityOf, RecordedMessage, RecordKind, RequestRecord } from "./engine/activity.js";
export type { RateLimitOptions } from "./engine/admission.js";
export type { ClockOptions, Duration, EmulatorClock } from "./engine/clock.js";
export type { ProjectOptions } from "./engine/engine.js";
export type {
  DeliveryAttempt,
  DeliveryRecord,
  DeliveryRequest,
  EmittedEvent,
  ReceiverResponse,
  ResendInfo,
} from "./engine/event-records.js";
export type { FaultOptions, FaultRule, Faults, InjectedFault } from "./engine/faults.js";
export {
  type AuthConfigSeed,
  type ConnectedAccountSeed,
  demoSeed,
  type EmulatorKeys,
  type EmulatorSeed,
  type KeySeed,
} from "./engine/seed.js";
export type { Snapshot } from "./engine/state.js";
export type { CatalogControls } from "./toolkits/controls.js";
export type { ToolControls, ToolRun, ToolStub } from "./tools/controls.js";
export type { TriggerControls } from "./triggers/controls.js";
