export { type EventVersionOf, type SampleEvent, type SampleEvents, sampleEvent } from "./events.js";
export { connectedAccountRecord, toolRecord, triggerInstanceRecord } from "./records.js";
export {
  type EventDelivery,
  type SampleDelivery,
  type SignedDelivery,
  type SignedDeliveryOptions,
  signedDelivery,
  type TriggerSample,
} from "./signed-delivery.js";
export * from "./stores.js";
