// Written by node scripts/event-checks.ts from src/resources/events/schema.ts: do not edit.
import { isObject, isText, type Json } from "../json.js";
import type { KnownEventType } from "./delivery.js";

/** Says whether an event fits its schema. For what JSON.parse gives: a field without a value is one that is absent. */
export type EventCheck = (event: Json) => boolean;

/** The check of each V3 event, by its type. */
export const V3_CHECKS: Readonly<Record<KnownEventType, EventCheck>> = {
  "svc.trigger.message": ({ id, timestamp, metadata, data }) =>
    isText(id) &&
    isText(timestamp) &&
    isObject(metadata) &&
    isText(metadata["trigger_slug"]) &&
    isText(metadata["trigger_id"]) &&
    isText(metadata["connected_account_id"]) &&
    (metadata["auth_config_id"] === undefined || isText(metadata["auth_config_id"])) &&
    (metadata["user_id"] === undefined || metadata["user_id"] === null || isText(metadata["user_id"])) &&
    (metadata["log_id"] === undefined || isText(metadata["log_id"])) &&
    isObject(data),
  "svc.connected_account.expired": ({ id, timestamp, metadata, data }) =>
    isText(id) &&
    isText(timestamp) &&
    isObject(metadata) &&
    (metadata["project_id"] === undefined || isText(metadata["project_id"])) &&
    (metadata["org_id"] === undefined || isText(metadata["org_id"])) &&
    isObject(data) &&
    isText(data["id"]) &&
    isObject(data["toolkit"]) &&
    isText(data["toolkit"]["slug"]) &&
    isObject(data["auth_config"]) &&
    isText(data["auth_config"]["id"]) &&
    isText(data["auth_config"]["auth_scheme"]) &&
    isText(data["status"]) &&
    (data["status_reason"] === undefined || data["status_reason"] === null || isText(data["status_reason"])) &&
    (data["user_id"] === undefined || data["user_id"] === null || isText(data["user_id"])),
  "svc.connected_account.activated": ({ id, timestamp, metadata, data }) =>
    isText(id) &&
    isText(timestamp) &&
    isObject(metadata) &&
    (metadata["project_id"] === undefined || isText(metadata["project_id"])) &&
    (metadata["org_id"] === undefined || isText(metadata["org_id"])) &&
    isObject(data) &&
    (data["id"] === undefined || isText(data["id"])) &&
    (data["toolkit"] === undefined || (isObject(data["toolkit"]) && isText(data["toolkit"]["slug"]))) &&
    (data["auth_config"] === undefined ||
      (isObject(data["auth_config"]) &&
        isText(data["auth_config"]["id"]) &&
        (data["auth_config"]["auth_scheme"] === undefined || isText(data["auth_config"]["auth_scheme"])))) &&
    (data["status"] === undefined || isText(data["status"])) &&
    (data["status_reason"] === undefined || data["status_reason"] === null || isText(data["status_reason"])) &&
    (data["user_id"] === undefined || data["user_id"] === null || isText(data["user_id"])),
  "svc.trigger.disabled": ({ id, timestamp, metadata, data }) =>
    isText(id) &&
    isText(timestamp) &&
    isObject(metadata) &&
    (metadata["project_id"] === undefined || isText(metadata["project_id"])) &&
    (metadata["org_id"] === undefined || isText(metadata["org_id"])) &&
    isObject(data) &&
    isText(data["id"]) &&
    isText(data["connected_account_id"]) &&
    isText(data["trigger_name"]) &&
    (data["user_id"] === undefined || data["user_id"] === null || isText(data["user_id"])) &&
    (data["trigger_config"] === undefined || isObject(data["trigger_config"])) &&
    isText(data["disabled_at"]) &&
    isText(data["disabled_reason"]),
};

/** Whether an event is a trigger message in the second format. */
export const isTriggerMessageV2: EventCheck = ({ type, timestamp, log_id, data }) =>
  isText(type) &&
  isText(timestamp) &&
  (log_id === undefined || isText(log_id)) &&
  isObject(data) &&
  isText(data["trigger_nano_id"]) &&
  isText(data["connection_nano_id"]) &&
  (data["trigger_id"] === undefined || isText(data["trigger_id"])) &&
  (data["connection_id"] === undefined || isText(data["connection_id"])) &&
  (data["user_id"] === undefined || data["user_id"] === null || isText(data["user_id"]));

/** Whether an event is a trigger message in the first format. */
export const isTriggerMessageV1: EventCheck = ({ trigger_name, trigger_id, connection_id, payload, log_id }) =>
  isText(trigger_name) &&
  isText(trigger_id) &&
  isText(connection_id) &&
  isObject(payload) &&
  (log_id === undefined || isText(log_id));
