// Written by node scripts/event-checks.ts from src/resources/events/schema.ts: do not edit.
import { isObject, isText, type Json } from "../json.js";
import type { KnownEventType } from "./delivery.js";

/** Says whether an event fits its schema. For what JSON.parse gives: a field without a value is one that is absent. */
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
    isTextIfAny(metadata["auth_config_id"]) &&
    isTextOrNullIfAny(metadata["user_id"]) &&
    isTextIfAny(metadata["log_id"]) &&
    isObject(data),
  "svc.connected_account.expired": ({ id, timestamp, metadata, data }) =>
    isText(id) &&
    isText(timestamp) &&
    isObject(metadata) &&
    isTextIfAny(metadata["project_id"]) &&
    isTextIfAny(metadata["org_id"]) &&
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
    isTextIfAny(metadata["project_id"]) &&
    isTextIfAny(metadata["org_id"]) &&
    isObject(data) &&
    isTextIfAny(data["id"]) &&
    (data["toolkit"] === undefined || (isObject(data["toolkit"]) && isText(data["toolkit"]["slug"]))) &&
    (data["auth_config"] === undefined ||
      (isObject(data["auth_config"]) &&
        isText(data["auth_config"]["id"]) &&
        isTextIfAny(data["auth_config"]["auth_scheme"]))) &&
    isTextIfAny(data["status"]) &&
    isTextOrNullIfAny(data["status_reason"]) &&
    isTextOrNullIfAny(data["user_id"]),
  "svc.trigger.disabled": ({ id, timestamp, metadata, data }) =>
    isText(id) &&
    isText(timestamp) &&
    isObject(metadata) &&
    isTextIfAny(metadata["project_id"]) &&
    isTextIfAny(metadata["org_id"]) &&
    isObject(data) &&
    isText(data["id"]) &&
    isText(data["connected_account_id"]) &&
    isText(data["trigger_name"]) &&
    isTextOrNullIfAny(data["user_id"]) &&
    (data["trigger_config"] === undefined || isObject(data["trigger_config"])) &&
    isText(data["disabled_at"]) &&
    isText(data["disabled_reason"]),
};

/** Whether an event is a trigger message in the second format. */
export const isTriggerMessageV2: EventCheck = ({ type, timestamp, log_id, data }) =>
  isText(type) &&
  isText(timestamp) &&
  isTextIfAny(log_id) &&
  isObject(data) &&
  isText(data["trigger_nano_id"]) &&
  isText(data["connection_nano_id"]) &&
  isTextIfAny(data["trigger_id"]) &&
  isTextIfAny(data["connection_id"]) &&
  isTextOrNullIfAny(data["user_id"]);

/** Whether an event is a trigger message in the first format. */
export const isTriggerMessageV1: EventCheck = ({ trigger_name, trigger_id, connection_id, payload, log_id }) =>
  isText(trigger_name) && isText(trigger_id) && isText(connection_id) && isObject(payload) && isTextIfAny(log_id);
