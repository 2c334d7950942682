// The room of the local service: `engine/` serves requests, and a folder per resource handles them. `tools/` executes
// tools of `catalog/`, `triggers/` fires events that `deliveries/` sends. It imports `catalog`, `client`, `contract`,
// `json-schema`, `resources` and `webhooks`. Start here, then `assembly/emulator.ts`, which joins the folders.

export type {
  RunCall,
  RunDecision,
  RunFacts,
  RunQuestion,
  RunStatus,
  RunStep,
  RunTool,
} from "../contract/run-schema.js";
export type { EventType } from "../resources/events/schema.js";
export type { JsonObject } from "../resources/schema-kit.js";
export { createEmulator } from "./assembly/emulator.js";
export type { Emulator, EmulatorOptions } from "./assembly/interface.js";
export { demoSeed, type EmulatorKeys } from "./assembly/seeding.js";
export type {
  AuthDefinition,
  ToolVersionChanges,
  ToolVersionFields,
  TriggerDefinition,
  TriggerVersionChanges,
  TriggerVersionFields,
  VersionChanges,
  WebhookFieldDefinition,
} from "./catalog/catalog-schema.js";
export {
  ProviderError,
  type ProxiedCall,
  type ToolDefinition,
  type ToolFile,
  type ToolFiles,
  type ToolkitDefinition,
  type ToolRunContext,
} from "./catalog/definitions.js";
export type { AccountControls } from "./connected-accounts/controls.js";
export type { Deliveries } from "./deliveries/controls.js";
export type { Activity, ActivityOf, RecordKind } from "./engine/activity.js";
export type { Duration, EmulatorClock } from "./engine/clock.js";
export type {
  DeliveryAttempt,
  DeliveryFaults,
  DeliveryRecord,
  DeliveryRequest,
  EmittedEvent,
  ReceiverResponse,
  ResendInfo,
  ResendOptions,
} from "./engine/event-schema.js";
export type { ToolRun } from "./engine/execution-schema.js";
export type { FaultOperation } from "./engine/fault-operation.js";
export type { FaultRule, InjectedFault } from "./engine/fault-schema.js";
export type { Faults } from "./engine/faults.js";
export type {
  ClockOptions,
  DeliveryOptions,
  ExecutionLogFaults,
  FaultOptions,
  ProjectOptions,
  RateLimitOptions,
} from "./engine/options-schema.js";
export type { RecordedMessage, RequestRecord } from "./engine/request-schema.js";
export type { AuthConfigSeed, ConnectedAccountSeed, EmulatorSeed, KeySeed } from "./engine/seed-schema.js";
export type { Snapshot } from "./engine/state.js";
export * from "./from-catalog.js";
export type { ExecutionLog } from "./logs/controls.js";
export type { CatalogControls } from "./toolkits/controls.js";
export type { ToolControls, ToolStub } from "./tools/controls.js";
export type { TriggerControls } from "./triggers/controls.js";
