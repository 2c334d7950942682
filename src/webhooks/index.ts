export { SvcError } from "../errors/base.js";
export { ConfigError } from "../errors/local.js";
export { WebhookPayloadError, type WebhookRejectionReason, WebhookVerificationError } from "../errors/webhook.js";
export type {
  ConnectedAccountActivated,
  ConnectedAccountExpired,
  EventV3,
  PayloadVersion,
  TriggerDisabled,
  TriggerMessageV1,
  TriggerMessageV2,
  TriggerMessageV3,
} from "../resources/events/schema.js";
export type { TriggerCatalog } from "../resources/typed-catalog.js";
export {
  type ClaimResult,
  type DedupeStore,
  type MemoryDeliveriesOptions,
  memoryDeliveries,
  type RetentionOptions,
} from "./dedupe-store.js";
export type { HeadersInput, WebhookHeaders } from "./headers.js";
export type { SecretEncoding, WebhookSecret, WebhookSecrets } from "./keys.js";
export { normalizeTrigger, type TriggerEvent, type TriggerPayload } from "./normalize.js";
export {
  type Delivery,
  type DeliveryOf,
  type KnownDelivery,
  type KnownEventType,
  type PartialEvent,
  parseDelivery,
  type TriggerDelivery,
  type TriggerMessages,
  type UnknownDelivery,
  verifyWebhook,
} from "./parse.js";
export { createReceiver, type Receiver } from "./receive.js";
export type {
  AnyPayloads,
  Handler,
  HandlerContext,
  HandlerKey,
  Handlers,
  HandlersByKey,
  ReceiverErrorContext,
  ReceiverOptions,
} from "./receiver-options.js";
export { type SignWebhookInput, signWebhook } from "./sign.js";
export { type VerifiedWebhook, type VerifyOptions, verifySignature, type WebhookInput } from "./verify.js";
