import { type ArgumentValidator, validateArguments } from "../../src/contract/arguments.js";
import { type CheckContractOptions, checkContract } from "../../src/contract/index.js";
import { createEmulator, type Emulator, type EmulatorOptions } from "../../src/emulator/index.js";
import {
  endpoint,
  type Logger,
  type LogLevel,
  logCalls,
  type Middleware,
  observe,
  type RetryBudget,
  type RetryClass,
  Svc,
  type SvcEvent,
  type SvcOptions,
  shareRetryBudget,
  type ToolLock,
  toolLock,
  typed,
} from "../../src/index.js";
import { type FakeClock, fakeClock } from "./clock.js";

/** Options of a test's client: its middleware has short names here. */
export interface TestOptions extends SvcOptions, CheckContractOptions {
  onEvent?: ((event: SvcEvent) => void) | undefined;
  logger?: Logger | undefined;
  logLevel?: LogLevel | undefined;
  validateArguments?: ArgumentValidator | undefined;
  retryBudget?: RetryBudget | undefined;
  lock?: ToolLock | undefined;
  requireLocked?: boolean | undefined;
}

/** The options of a client with this middleware. */
function withMiddleware(options: TestOptions): SvcOptions {
  const { onEvent, logger, logLevel, retryBudget, lock, requireLocked, use = [], ...more } = options;
  const { contract, onMismatch, validateArguments: validator, ...others } = more;
  const middleware: (Middleware | undefined)[] = [
    onEvent && observe(onEvent),
    (logger || logLevel) && logCalls({ logger, level: logLevel, env: options.env }),
    retryBudget && shareRetryBudget(retryBudget),
    lock && toolLock(lock, { rejectUnlocked: requireLocked }),
    (contract || onMismatch) && checkContract({ contract, onMismatch }),
    validator && validateArguments(validator),
    ...use,
  ];
  return { ...others, use: middleware.filter((one) => one !== undefined) };
}

/** A client over an injected fetch, with every credential and nothing from the environment. */
export function clientOf(fetch: (request: Request) => Promise<Response>, options: TestOptions = {}): Svc {
  return new Svc({
    baseUrl: "https://api.example.com",
    apiKey: "ak_test",
    userApiKey: "uak_test",
    orgApiKey: "oak_test",
    env: {},
    clock: fakeClock(),
    fetch,
    ...withMiddleware(options),
  });
}

/** An emulator and a strict client of it that share their time. */
export function emulated(
  options: TestOptions = {},
  emulatorOptions: EmulatorOptions = {},
): { readonly emulator: Emulator; readonly svc: Svc; readonly clock: FakeClock } {
  const emulator = createEmulator(emulatorOptions);
  const clock = fakeClock(emulator);
  const svc = new Svc({
    ...emulator.connection,
    clock,
    env: {},
    ...withMiddleware({ onMismatch: "throw", ...options }),
  });
  return { emulator, svc, clock };
}

const probe = (name: string, retry: RetryClass) =>
  endpoint({
    name,
    method: "POST",
    path: "/api/{apiVersion}/probe",
    auth: ["apiKey"],
    retry,
    body: typed<{ readonly [key: string]: unknown }>(),
    response: typed<{ readonly ok: boolean }>(),
  });

/** One operation of each repeat class, alike in everything else. */
export const probes = {
  safe: probe("probe.safe", "safe"),
  idempotent: probe("probe.idempotent", "idempotent"),
  effect: probe("probe.effect", "effect"),
} as const;

/** Sends a probe. */
export function send(svc: Svc, retry: RetryClass = "safe", options: Parameters<Svc["call"]>[2] = {}) {
  return svc.call(probes[retry], { body: {} }, options);
}

/** The reason of a rejected promise. Fails if the promise doesn't reject. */
export async function rejection(promise: PromiseLike<unknown>): Promise<unknown> {
  let value: unknown;
  try {
    value = await promise;
  } catch (error) {
    return error;
  }
  throw new Error(`expected a rejection, got ${JSON.stringify(value)}`);
}

/** The error of a class that a promise rejects with. Fails if it is another one. */
export async function rejectionOf<Wanted>(
  ErrorClass: new (...given: never[]) => Wanted,
  promise: PromiseLike<unknown>,
): Promise<Wanted> {
  const error = await rejection(promise);
  if (error instanceof ErrorClass) return error;
  throw new Error(`expected a ${ErrorClass.name}`, { cause: error });
}

/** Every item of an iteration, in order. */
export async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const collected: Item[] = [];
  for await (const item of items) collected.push(item);
  return collected;
}
