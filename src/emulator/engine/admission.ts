import type { AnyEndpoint } from "../../client/endpoint.js";
import { CREDENTIAL_KINDS, CREDENTIALS, type CredentialKind } from "../../shared/credentials.js";
import { maskSecret } from "./masking.js";
import { FIRST_PROJECT, type StoredProject } from "./project-records.js";
import { ApiFailure, notFound } from "./responses.js";
import type { KeySeed } from "./seed-schema.js";
import type { State } from "./state.js";

/**
 * Returns the key of a request. Spec: Authentication > Rules.
 *
 * @throws {ApiFailure} 401 for a missing, unknown, revoked, or expired key, several keys, or the wrong kind; 403 if the
 * key isn't allowed to call the operation.
 */
export function authenticate(endpoint: AnyEndpoint, headers: Headers, state: State): KeySeed | undefined {
  if (endpoint.auth.length === 0) return undefined;
  const presented: { readonly kind: CredentialKind; readonly value: string }[] = [];
  for (const kind of CREDENTIAL_KINDS) {
    const { header, prefix } = CREDENTIALS[kind];
    const sent = headers.get(header);
    const own = header === "cookie" ? sent?.split(/;\s*/).find((part) => part.startsWith(prefix)) : sent;
    if (own != null) presented.push({ kind, value: own.slice(prefix.length) });
  }
  if (presented.length > 1) {
    const message = "More than one authentication mode was sent";
    throw unauthorized(10401, "HTTP_Unauthorized", message, "Send exactly one key");
  }
  const [credential] = presented;
  if (!credential || !endpoint.auth.includes(credential.kind)) {
    const accepted = endpoint.auth.map((kind) => CREDENTIALS[kind].header).join(" or ");
    if (!credential) throw unauthorized(906, "Auth_NoAuthProvided", "No API key provided", `Send ${accepted}`);
    const fix = `This operation takes ${accepted}, not ${CREDENTIALS[credential.kind].header}`;
    throw unauthorized(902, "Auth_Unauthorized", "Access denied", fix);
  }
  const key = state.keys.get(credential.value);
  if (!key || key.kind !== credential.kind || key.state === "revoked")
    throw invalidKey(credential.kind, credential.value);
  if (key.state === "expired") throw unauthorized(811, "APIKey_APIKeyExpired", "API key has expired", "Make a new key");
  const [area = ""] = endpoint.name.split(".");
  if (key.denied?.some((denied) => denied === endpoint.name || denied === area)) {
    const access = endpoint.method === "GET" ? "read" : "write";
    const message = `API key does not have ${access} access to ${area}`;
    const fix = `Use a key that may call ${endpoint.name}`;
    throw new ApiFailure(403, 812, "APIKey_InsufficientPermissions", message, fix);
  }
  return key;
}

function invalidKey(kind: CredentialKind, value: string): ApiFailure {
  const masked = maskSecret(value);
  switch (kind) {
    case "orgApiKey":
      return unauthorized(10401, "HTTP_Unauthorized", "Invalid x-org-api-key", "Check the organization key");
    case "userApiKey":
      return unauthorized(2113, "UserApiKey_Unauthorized", "Invalid or revoked user API key", "Check the user key");
    case "sessionCookie":
      return unauthorized(902, "Auth_Unauthorized", "Access denied", "Log in again");
    default:
      return unauthorized(801, "APIKey_InvalidAPIKey", `Invalid API key: ${masked}`, "Check the key and the base URL");
  }
}

function unauthorized(code: number, slug: string, message: string, suggestedFix: string): ApiFailure {
  return new ApiFailure(401, code, slug, message, suggestedFix);
}

/**
 * The project of a key; for a user or organization key, the first project. Assumption E54.
 *
 * @param mayBeDeleted whether a deleted project is returned too.
 * @throws {ApiFailure} 404 if it was deleted.
 */
export function projectOf(
  key: KeySeed | undefined,
  { projects, projectKeys }: State,
  mayBeDeleted = false,
): StoredProject {
  const id = (key && projectKeys.get(key.value)?.projectId) ?? FIRST_PROJECT;
  const project = projects.get(id);
  if (project && (mayBeDeleted || !project.isDeleted)) return project;
  throw notFound("Project", `Project ${id}`, 10404);
}
