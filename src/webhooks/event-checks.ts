// Written by node scripts/event-checks.ts from src/resources/events/schema.ts: do not edit.
import type { PayloadVersion } from "../resources/events/schema.js";
import { isObject, isString, type Json } from "../shared/json.js";

/** Whether an event matches its schema. Expects a result of JSON.parse, so an undefined field is a missing one. */
type EventCheck = (event: Json) => boolean;

const isOptionalStringOrNull = (value: unknown): boolean => value === undefined || value === null || isString(value);

/** The check of each event type, by payload format. */
export const EVENT_CHECKS: Readonly<Record<PayloadVersion, ReadonlyMap<string | undefined, EventCheck>>> = {
  V3: new Map([
    [
      "svc.trigger.message",
      ({ id, timestamp, metadata, data }) =>
        isString(id) &&
        isString(timestamp) &&
        isObject(metadata) &&
        isString(metadata["trigger_slug"]) &&
        isString(metadata["trigger_id"]) &&
        isString(metadata["connected_account_id"]) &&
        isOptionalStringOrNull(metadata["auth_config_id"]) &&
        isOptionalStringOrNull(metadata["user_id"]) &&
        isOptionalStringOrNull(metadata["log_id"]) &&
        isObject(data),
    ],
    [
      "svc.connected_account.expired",
      ({ id, timestamp, metadata, data }) =>
        isString(id) &&
        isString(timestamp) &&
        isObject(metadata) &&
        isString(metadata["project_id"]) &&
        isOptionalStringOrNull(metadata["org_id"]) &&
        isObject(data) &&
        isString(data["id"]) &&
        isObject(data["toolkit"]) &&
        isString(data["toolkit"]["slug"]) &&
        isObject(data["auth_config"]) &&
        isString(data["auth_config"]["id"]) &&
        isString(data["auth_config"]["auth_scheme"]) &&
        isString(data["status"]) &&
        isOptionalStringOrNull(data["status_reason"]) &&
        isOptionalStringOrNull(data["user_id"]),
    ],
    [
      "svc.connected_account.activated",
      ({ id, timestamp, metadata, data }) =>
        isString(id) &&
        isString(timestamp) &&
        isObject(metadata) &&
        isOptionalStringOrNull(metadata["project_id"]) &&
        isOptionalStringOrNull(metadata["org_id"]) &&
        isObject(data) &&
        isOptionalStringOrNull(data["id"]) &&
        (data["toolkit"] === undefined ||
          data["toolkit"] === null ||
          (isObject(data["toolkit"]) && isString(data["toolkit"]["slug"]))) &&
        (data["auth_config"] === undefined ||
          data["auth_config"] === null ||
          (isObject(data["auth_config"]) &&
            isString(data["auth_config"]["id"]) &&
            isOptionalStringOrNull(data["auth_config"]["auth_scheme"]))) &&
        isOptionalStringOrNull(data["status"]) &&
        isOptionalStringOrNull(data["status_reason"]) &&
        isOptionalStringOrNull(data["user_id"]),
    ],
    [
      "svc.trigger.disabled",
      ({ id, timestamp, metadata, data }) =>
        isString(id) &&
        isString(timestamp) &&
        isObject(metadata) &&
        isOptionalStringOrNull(metadata["project_id"]) &&
        isOptionalStringOrNull(metadata["org_id"]) &&
        isObject(data) &&
        isString(data["id"]) &&
        isString(data["connected_account_id"]) &&
        isString(data["trigger_name"]) &&
        isOptionalStringOrNull(data["user_id"]) &&
        (data["trigger_config"] === undefined || data["trigger_config"] === null || isObject(data["trigger_config"])) &&
        isString(data["disabled_at"]) &&
        isString(data["disabled_reason"]),
    ],
  ]),
  V2: new Map([
    [
      "svc.trigger.message",
      ({ type, timestamp, log_id, data }) =>
        isString(type) &&
        isString(timestamp) &&
        isOptionalStringOrNull(log_id) &&
        isObject(data) &&
        isString(data["trigger_nano_id"]) &&
        isString(data["connection_nano_id"]) &&
        isOptionalStringOrNull(data["trigger_id"]) &&
        isOptionalStringOrNull(data["connection_id"]) &&
        isOptionalStringOrNull(data["user_id"]),
    ],
  ]),
  V1: new Map([
    [
      "svc.trigger.message",
      ({ trigger_name, trigger_id, connection_id, payload, log_id }) =>
        isString(trigger_name) &&
        isOptionalStringOrNull(trigger_id) &&
        isOptionalStringOrNull(connection_id) &&
        isObject(payload) &&
        isOptionalStringOrNull(log_id),
    ],
  ]),
};
