// Written by node scripts/event-checks.ts from src/resources/events/schema.ts: do not edit.
import { isObject, isText, type Json } from "../shared/json.js";
import type { KnownEventType } from "./delivery.js";

/** Whether an event matches its schema. Expects a result of JSON.parse, so an undefined field is a missing one. */
export type EventCheck = (event: Json) => boolean;

const isOptionalString = (value: unknown): boolean => value === undefined || isText(value);
const isOptionalStringOrNull = (value: unknown): boolean => value === null || isOptionalString(value);

/** The check of each V3 event, by its type. */
export const V3_CHECKS: Readonly<Record<KnownEventType, EventCheck>> = {
  "svc.trigger.message": ({ id, timestamp, metadata, data }) =>
    isText(id) &&
    isText(timestamp) &&
    isObject(metadata) &&
    isText(metadata["trigger_slug"]) &&
    isText(metadata["trigger_id"]) &&
    isText(metadata["connected_account_id"]) &&
    isOptionalStringOrNull(metadata["auth_config_id"]) &&
    isOptionalStringOrNull(metadata["user_id"]) &&
    isOptionalStringOrNull(metadata["log_id"]) &&
    isObject(data),
  "svc.connected_account.expired": ({ id, timestamp, metadata, data }) =>
    isText(id) &&
    isText(timestamp) &&
    isObject(metadata) &&
    isOptionalStringOrNull(metadata["project_id"]) &&
    isOptionalStringOrNull(metadata["org_id"]) &&
    isObject(data) &&
    isText(data["id"]) &&
    isObject(data["toolkit"]) &&
    isText(data["toolkit"]["slug"]) &&
    isObject(data["auth_config"]) &&
    isText(data["auth_config"]["id"]) &&
    isText(data["auth_config"]["auth_scheme"]) &&
    isText(data["status"]) &&
    isOptionalStringOrNull(data["status_reason"]) &&
    isOptionalStringOrNull(data["user_id"]),
  "svc.connected_account.activated": ({ id, timestamp, metadata, data }) =>
    isText(id) &&
    isText(timestamp) &&
    isObject(metadata) &&
    isOptionalStringOrNull(metadata["project_id"]) &&
    isOptionalStringOrNull(metadata["org_id"]) &&
    isObject(data) &&
    isOptionalStringOrNull(data["id"]) &&
    (data["toolkit"] === undefined ||
      data["toolkit"] === null ||
      (isObject(data["toolkit"]) && isText(data["toolkit"]["slug"]))) &&
    (data["auth_config"] === undefined ||
      data["auth_config"] === null ||
      (isObject(data["auth_config"]) &&
        isText(data["auth_config"]["id"]) &&
        isOptionalStringOrNull(data["auth_config"]["auth_scheme"]))) &&
    isOptionalStringOrNull(data["status"]) &&
    isOptionalStringOrNull(data["status_reason"]) &&
    isOptionalStringOrNull(data["user_id"]),
  "svc.trigger.disabled": ({ id, timestamp, metadata, data }) =>
    isText(id) &&
    isText(timestamp) &&
    isObject(metadata) &&
    isOptionalStringOrNull(metadata["project_id"]) &&
    isOptionalStringOrNull(metadata["org_id"]) &&
    isObject(data) &&
    isText(data["id"]) &&
    isText(data["connected_account_id"]) &&
    isText(data["trigger_name"]) &&
    isOptionalStringOrNull(data["user_id"]) &&
    (data["trigger_config"] === undefined || data["trigger_config"] === null || isObject(data["trigger_config"])) &&
    isText(data["disabled_at"]) &&
    isText(data["disabled_reason"]),
};

/** Whether an event is a trigger message in the second format. */
export const isTriggerMessageV2: EventCheck = ({ type, timestamp, log_id, data }) =>
  isText(type) &&
  isText(timestamp) &&
  isOptionalStringOrNull(log_id) &&
  isObject(data) &&
  isText(data["trigger_nano_id"]) &&
  isText(data["connection_nano_id"]) &&
  isOptionalStringOrNull(data["trigger_id"]) &&
  isOptionalStringOrNull(data["connection_id"]) &&
  isOptionalStringOrNull(data["user_id"]);

/** Whether an event is a trigger message in the first format. */
export const isTriggerMessageV1: EventCheck = ({ trigger_name, trigger_id, connection_id, payload, log_id }) =>
  isText(trigger_name) &&
  isOptionalStringOrNull(trigger_id) &&
  isOptionalStringOrNull(connection_id) &&
  isObject(payload) &&
  isOptionalStringOrNull(log_id);
