// Written by node scripts/event-checks.ts from src/resources/events/schema.ts: do not edit.
import { isObject, isText, type Json } from "../shared/json.js";
import type { KnownEventType } from "./delivery.js";

/** Whether an event matches its schema. Expects a result of JSON.parse, so an undefined field is a missing one. */
export type EventCheck = (event: Json) => boolean;

const isTextIfAny = (value: unknown): boolean => value === undefined || isText(value);
const isTextOrNullIfAny = (value: unknown): boolean => value === null || isTextIfAny(value);

/** The check of each V3 event, by its type. */
export const V3_CHECKS: Readonly<Record<KnownEventType, EventCheck>> = {
  "svc.trigger.message": ({ id, timestamp, metadata, data }) =>
    isText(id) &&
    isText(timestamp) &&
    isObject(metadata) &&
    isText(metadata["trigger_slug"]) &&
    isText(metadata["trigger_id"]) &&
    isText(metadata["connected_account_id"]) &&
    isTextOrNullIfAny(metadata["auth_config_id"]) &&
    isTextOrNullIfAny(metadata["user_id"]) &&
    isTextOrNullIfAny(metadata["log_id"]) &&
    isObject(data),
  "svc.connected_account.expired": ({ id, timestamp, metadata, data }) =>
    isText(id) &&
    isText(timestamp) &&
    isObject(metadata) &&
    isTextOrNullIfAny(metadata["project_id"]) &&
    isTextOrNullIfAny(metadata["org_id"]) &&
    isObject(data) &&
    isText(data["id"]) &&
    isObject(data["toolkit"]) &&
    isText(data["toolkit"]["slug"]) &&
    isObject(data["auth_config"]) &&
    isText(data["auth_config"]["id"]) &&
    isText(data["auth_config"]["auth_scheme"]) &&
    isText(data["status"]) &&
    isTextOrNullIfAny(data["status_reason"]) &&
    isTextOrNullIfAny(data["user_id"]),
  "svc.connected_account.activated": ({ id, timestamp, metadata, data }) =>
    isText(id) &&
    isText(timestamp) &&
    isObject(metadata) &&
    isTextOrNullIfAny(metadata["project_id"]) &&
    isTextOrNullIfAny(metadata["org_id"]) &&
    isObject(data) &&
    isTextOrNullIfAny(data["id"]) &&
    (data["toolkit"] === undefined ||
      data["toolkit"] === null ||
      (isObject(data["toolkit"]) && isText(data["toolkit"]["slug"]))) &&
    (data["auth_config"] === undefined ||
      data["auth_config"] === null ||
      (isObject(data["auth_config"]) &&
        isText(data["auth_config"]["id"]) &&
        isTextOrNullIfAny(data["auth_config"]["auth_scheme"]))) &&
    isTextOrNullIfAny(data["status"]) &&
    isTextOrNullIfAny(data["status_reason"]) &&
    isTextOrNullIfAny(data["user_id"]),
  "svc.trigger.disabled": ({ id, timestamp, metadata, data }) =>
    isText(id) &&
    isText(timestamp) &&
    isObject(metadata) &&
    isTextOrNullIfAny(metadata["project_id"]) &&
    isTextOrNullIfAny(metadata["org_id"]) &&
    isObject(data) &&
    isText(data["id"]) &&
    isText(data["connected_account_id"]) &&
    isText(data["trigger_name"]) &&
    isTextOrNullIfAny(data["user_id"]) &&
    (data["trigger_config"] === undefined || data["trigger_config"] === null || isObject(data["trigger_config"])) &&
    isText(data["disabled_at"]) &&
    isText(data["disabled_reason"]),
};

/** Whether an event is a trigger message in the second format. */
export const isTriggerMessageV2: EventCheck = ({ type, timestamp, log_id, data }) =>
  isText(type) &&
  isText(timestamp) &&
  isTextOrNullIfAny(log_id) &&
  isObject(data) &&
  isText(data["trigger_nano_id"]) &&
  isText(data["connection_nano_id"]) &&
  isTextOrNullIfAny(data["trigger_id"]) &&
  isTextOrNullIfAny(data["connection_id"]) &&
  isTextOrNullIfAny(data["user_id"]);

/** Whether an event is a trigger message in the first format. */
export const isTriggerMessageV1: EventCheck = ({ trigger_name, trigger_id, connection_id, payload, log_id }) =>
  isText(trigger_name) &&
  isTextOrNullIfAny(trigger_id) &&
  isTextOrNullIfAny(connection_id) &&
  isObject(payload) &&
  isTextOrNullIfAny(log_id);
