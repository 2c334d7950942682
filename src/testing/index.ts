// The room of helpers for users' tests: sample records and deliveries, contracts of stores, and in `model/` a
// scripted model. It imports the package's main entry, `agents`, `emulator`, `json-schema`, `stores` and `webhooks`.
// Start here.

export { approvalsContract } from "./approvals-contract.js";
export { dedupeContract } from "./dedupe-contract.js";
export { type EventVersionOf, type SampleEvent, type SampleEvents, sampleEvent } from "./events.js";
export { type EmulatorTime, type InstantClock, instantClock } from "./instant-clock.js";
export { sampleModel } from "./model/sample-model.js";
export {
  type ScriptedModel,
  type ScriptedModelOptions,
  scriptedModel,
} from "./model/scripted-model.js";
export type {
  AnswerRequest,
  ModelCall,
  ModelOutput,
  ModelProvider,
  ModelRequest,
  ModelServer,
  ModelTurn,
  OfferedTool,
  ScriptedTurn,
  ServeOptions,
} from "./model/types.js";
export { connectedAccountRecord, toolRecord, triggerInstanceRecord } from "./records.js";
export {
  type EventDelivery,
  type SampleDelivery,
  type SignedDelivery,
  type SignedDeliveryOptions,
  signedDelivery,
  type TriggerSample,
} from "./signed-delivery.js";
export * from "./store-contracts.js";
