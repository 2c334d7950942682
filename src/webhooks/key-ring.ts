import { ConfigError } from "../errors/local.js";
import { processVariable } from "../shared/environment.js";
import { monotonicNow, within } from "../shared/timers.js";
import { keysOf, type SecretEncoding, type SigningKey, type WebhookSecret } from "./keys.js";

/** Several secrets, or a function that returns them. */
export type WebhookSecrets =
  | readonly WebhookSecret[]
  | (() => readonly WebhookSecret[] | Promise<readonly WebhookSecret[]>);

/** The keys that deliveries are verified with. */
export interface KeyRing {
  current(): Promise<Keys> | Keys;
  /** The keys that replace these ones, if there are any by now. */
  newerThan(keys: Keys): Promise<Keys | undefined>;
}

type Keys = readonly SigningKey[];

/** The shortest time between two calls of the program's function, in milliseconds: anyone can send forgeries. */
const ASK_AFTER_MS = 1_000;

interface SecretOptions {
  readonly secret?: WebhookSecret | undefined;
  readonly secrets?: WebhookSecrets | undefined;
  readonly secretEncoding?: SecretEncoding | undefined;
}

/**
 * The keys of all secrets, from the options or `SVC_WEBHOOK_SECRET`.
 *
 * @param timeoutMs how long a function of secrets may take, in milliseconds.
 * @throws {ConfigError} if there is no secret, or one isn't usable. Never quotes it.
 */
export function createKeyRing(options: SecretOptions, timeoutMs: number): KeyRing {
  const { secret, secrets, secretEncoding = "auto" } = options;
  if (secret !== undefined && secrets !== undefined) {
    throw new ConfigError("secret and secrets can't be combined. Pass both secrets in secrets.");
  }
  if (typeof secrets === "function") {
    return new AskedKeys(async () => keysOfAll("secrets()", await secrets(), secretEncoding), timeoutMs);
  }
  const keys =
    secrets === undefined ? keysOfOne(secret, secretEncoding) : keysOfAll("secrets", secrets, secretEncoding);
  return { current: () => keys, newerThan: async () => undefined };
}

function keysOfOne(secret: WebhookSecret | undefined, encoding: SecretEncoding): Keys {
  if (secret !== undefined) return keysOf(secret, encoding);
  const variable = processVariable("SVC_WEBHOOK_SECRET");
  if (variable === undefined) throw new ConfigError("No secret. Pass secret or set SVC_WEBHOOK_SECRET.");
  return keysOf(variable, encoding, "SVC_WEBHOOK_SECRET");
}

function keysOfAll(name: string, secrets: readonly WebhookSecret[], encoding: SecretEncoding): Keys {
  if (!Array.isArray(secrets) || secrets.length === 0) {
    throw new ConfigError(`${name} must be an array with at least one secret.`);
  }
  // Spread a sparse array, so that its holes are rejected as invalid secrets.
  return [...secrets].flatMap((entry, secretIndex) =>
    keysOf(entry, encoding, `${name}[${secretIndex}]`).map((key) => ({ ...key, secretIndex })),
  );
}

/** Keys from the program's function, which is called at most once per second. */
class AskedKeys implements KeyRing {
  readonly #read: () => Promise<Keys>;
  readonly #timeoutMs: number;
  #keys: Keys | undefined;
  #answer: Promise<Keys> | undefined;
  #nextAt = 0;

  constructor(read: () => Promise<Keys>, timeoutMs: number) {
    this.#read = read;
    this.#timeoutMs = timeoutMs;
  }

  async current(): Promise<Keys> {
    return this.#keys ?? (await this.#ask());
  }

  async newerThan(keys: Keys): Promise<Keys | undefined> {
    const newest = await this.#ask();
    return newest === keys ? undefined : newest;
  }

  /** The function's answer: the one it is working on, the one of the last second, or a new one. */
  #ask(): Promise<Keys> {
    if (this.#answer && monotonicNow() < this.#nextAt) return this.#answer;
    this.#nextAt = Number.POSITIVE_INFINITY;
    this.#answer = this.#load();
    return this.#answer;
  }

  async #load(): Promise<Keys> {
    const ms = this.#timeoutMs;
    const late = () =>
      new ConfigError(`secrets() took longer than bodyTimeoutMs (${ms} ms). Check the connection to the secrets.`);
    try {
      this.#keys = await within(ms, this.#read(), late);
      return this.#keys;
    } finally {
      this.#nextAt = monotonicNow() + ASK_AFTER_MS;
    }
  }
}
