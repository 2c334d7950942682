import type { AnyEndpoint } from "../../client/endpoint.js";
import { CREDENTIAL_KINDS, CREDENTIALS, type CredentialKind } from "../../shared/credentials.js";
import { RATE_LIMIT, RATE_LIMIT_LEFT, RATE_LIMIT_WINDOW } from "../../shared/headers.js";
import type { EmulatorClock } from "./clock.js";
import type { RateLimitOptions } from "./options-schema.js";
import { FIRST_PROJECT, type StoredProject } from "./project-records.js";
import { maskSecret } from "./recording.js";
import { ApiFailure, jsonResponse, notFound } from "./responses.js";
import type { KeySeed } from "./schema.js";
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

/**
 * The organization's rate limit, in fixed windows. A window starts with the first counted request after the previous
 * one ended. Assumption E2.
 */
export class RateLimiter {
  readonly limit: number;
  readonly windowSeconds: number;
  readonly #clock: EmulatorClock;
  readonly #state: State["rateLimit"];

  constructor(
    { limit = 2_000, windowSeconds = 60 }: RateLimitOptions,
    clock: EmulatorClock,
    state: State["rateLimit"],
  ) {
    this.limit = limit;
    this.windowSeconds = windowSeconds;
    this.#clock = clock;
    this.#state = state;
  }

  /** Rate limit headers, sent with every response. */
  headers(): Readonly<Record<string, string>> {
    const used = this.#leftMs() > 0 ? this.#state.used : 0;
    return {
      [RATE_LIMIT]: String(this.limit),
      [RATE_LIMIT_LEFT]: String(this.limit - used),
      [RATE_LIMIT_WINDOW]: `${this.windowSeconds}s`,
    };
  }

  /** Body of a 429: only a message, not the error object. */
  errorBody(): { message: string } {
    return { message: `Rate limit exceeded. Limit: ${this.limit} requests per ${this.windowSeconds} seconds` };
  }

  /** Counts a request; returns a 429 if the limit is reached. Requests without a key don't count. */
  refusal(key: KeySeed | undefined): Response | undefined {
    if (!key) return undefined;
    const left = this.#leftMs();
    if (left <= 0) {
      this.#state.startedAt = this.#clock.now();
      this.#state.used = 0;
    }
    if (this.#state.used < this.limit) {
      this.#state.used += 1;
      return undefined;
    }
    const seconds = Math.ceil(left / 1_000);
    return jsonResponse(429, this.errorBody(), { rateLimit: this }, { "retry-after": String(seconds) });
  }

  /** Requests counted in the current window, and when it ends, ISO 8601; null if none has started. */
  usage(): { readonly used: number; readonly resetsAt: string | null } {
    if (this.#leftMs() <= 0) return { used: 0, resetsAt: null };
    const { used, startedAt } = this.#state;
    return { used, resetsAt: new Date(startedAt + this.windowSeconds * 1_000).toISOString() };
  }

  /**
   * Milliseconds until the window ends; not above 0 if none is open.
   *
   * A window restored from an earlier version's snapshot may start in the future, if its clock was ahead.
   */
  #leftMs(): number {
    const agoMs = this.#clock.now() - this.#state.startedAt;
    return agoMs < 0 ? 0 : this.windowSeconds * 1_000 - agoMs;
  }
}
