import type { JsonObject } from "./definitions.js";

/** What is shown in place of a value of which nothing is shown. */
export const REDACTED = "REDACTED";
const SCOPES = ["scopes", "user_scopes"];
const IN_CLEAR = [...SCOPES, "client_id", "consumer_key"];

/** Credentials of an auth config as answers show them: of a managed one nothing, of a custom one the public parts. */
export function redactCredentials(credentials: JsonObject, isManaged: boolean): JsonObject {
  const clear = isManaged ? SCOPES : IN_CLEAR;
  return mapValues(credentials, (value, name) => {
    if (clear.includes(name)) return value;
    return isManaged ? REDACTED : maskSecret(value);
  });
}

/** Every secret of a record, masked. */
export function maskSecrets(record: JsonObject): JsonObject {
  return mapValues(record, maskSecret);
}

/** The first four characters and three dots; a shorter or other value is not shown at all. */
export function maskSecret(value: unknown): string {
  return typeof value === "string" && value.length >= 4 ? `${value.slice(0, 4)}...` : REDACTED;
}

function mapValues(record: JsonObject, map: (value: unknown, name: string) => unknown): JsonObject {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value, name)]));
}
