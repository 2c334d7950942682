import { inspect } from "node:util";
import { expect } from "vitest";
import { type CallOutcome, type RetryClass, Svc, SvcError, type SvcOptions, systemClock } from "../../src/index.js";
import { send } from "../support/client.js";
import { type FakeClock, fakeClock } from "../support/clock.js";
import { sized, stopwatch } from "../support/size.js";
import { TRANSPORT } from "../support/transport.js";
import { ear } from "./ear.js";
import { json, type Move, type WireServer, wireServer, writes } from "./wire.js";

/** The other side of a call. */
export interface Peer {
  readonly options: SvcOptions;
  /** How many attempts it has seen. */
  turns(): number;
  /** Resolves when the client has let go of every connection. */
  released(): Promise<void>;
  close(): Promise<void>;
}

/** A fault of the catalog and its one right outcome. */
export interface Fault {
  readonly name: string;
  /** Creates the server. A server that heals shows the fault once and responds well afterwards. */
  readonly peer: (heals: boolean) => Promise<Peer>;
  /** Options of the client, where the fault needs some. */
  readonly options?: SvcOptions;
  /** False where the fault cannot go away between two attempts. */
  readonly heals?: false;
  readonly right: Value | Failure;
}

/** Not a fault: the call returns its data. */
export type Value = { readonly value: unknown } | { readonly holds: (data: object) => boolean };

/** The call fails, with exactly this class. */
export interface Failure {
  readonly error: new (...given: never[]) => SvcError;
  /** The outcome of a call with an effect. */
  readonly outcome: CallOutcome;
  /** Which calls are retried: all, those that do no harm twice, or none. */
  readonly again: "all" | "harmless" | "none";
  /** Fields that must not be lost. */
  readonly shows?: object;
  /** A part of the message. */
  readonly says?: RegExp;
  /** How long the first retry, the second, … waits at least, in milliseconds. */
  readonly waitsMs?: readonly number[];
  /** An attempt ends by its timeout: not before, and not long after. */
  readonly isTimed?: true;
  /** The client gives up the connection. */
  readonly letsGo?: true;
  /** Attempts that reach the other side, of each one made. */
  readonly reaches?: 0 | 1;
}

/** How a fault is met. */
export interface Case {
  readonly retry: RetryClass;
  readonly mode: "without retries" | "with retries" | "healing";
}

const CLASSES: readonly RetryClass[] = ["safe", "idempotent", "effect"];
const MODES: readonly Case["mode"][] = ["without retries", "with retries", "healing"];

/** In `npm test` each fault is met in one of these ways, and none waits for more than one timeout of a peer. */
const USUAL: readonly [Case, Case, Case] = [
  { retry: "safe", mode: "healing" },
  { retry: "idempotent", mode: "without retries" },
  { retry: "effect", mode: "with retries" },
];

/** Every way in which a fault is met. */
export function casesOf({ name, heals }: Fault): readonly Case[] {
  const all = CLASSES.flatMap((retry) => MODES.map((mode) => ({ retry, mode })));
  // By chance, and always the same for a fault.
  const one = USUAL[name.length % USUAL.length] ?? USUAL[0];
  return sized(one.mode === "healing" && heals === false ? [USUAL[2]] : [one], all).filter(
    ({ mode }) => mode !== "healing" || heals !== false,
  );
}

/**
 * The bound of an attempt on a peer that never comes to an end. Nothing else takes as long, on a busy machine neither.
 */
export const TIMEOUT_MS = 3_000;

/** How often a case is retried, and how far an attempt may hang over its bound. */
const RETRIES = 2;
const GRACE_MS = 10_000;

/** The key of every client here. Nothing that comes out may hold it. */
export const KEY = "ak_canary_0123456789";

/** Meets one fault in one way and compares everything that came out with what is right. */
export async function meet({ peer: open, options, right }: Fault, { retry, mode }: Case): Promise<void> {
  const peer = await open(mode === "healing");
  const clock = fakeClock();
  const { heard, options: listening } = ear();
  const maxRetries = mode === "without retries" ? 0 : RETRIES;
  const svc = new Svc({
    apiKey: KEY,
    env: {},
    clock,
    maxRetries,
    timeoutMs: 20_000,
    ...listening,
    ...TRANSPORT,
    ...peer.options,
    ...options,
  });
  try {
    const startedAt = systemClock.monotonic();
    const watch = stopwatch();
    const result = await send(svc, retry)
      .withResponse()
      .then(
        ({ data, meta }) => ({ data, attempts: meta.attempts }),
        (reason: unknown) => (reason instanceof Error ? reason : new Error("not even an error", { cause: reason })),
      );
    expect(heard.join("\n")).not.toContain(KEY);
    if (!("error" in right)) {
      expect(result, inspect(result)).toMatchObject({ attempts: 1 });
      const data = result instanceof Error ? undefined : result.data;
      if ("holds" in right) expect(right.holds(data ?? {})).toBe(true);
      else expect(data).toEqual(right.value);
      expect(peer.turns()).toBe(1);
      return;
    }

    const isSentAgain = maxRetries > 0 && (right.again === "all" || (right.again === "harmless" && retry !== "effect"));
    const attempts = isSentAgain ? (mode === "healing" ? 2 : 1 + RETRIES) : 1;
    expect(peer.turns(), inspect(result)).toBe(attempts * (right.reaches ?? 1));
    checkWaits(clock, attempts - 1, right.waitsMs);
    if (right.isTimed) {
      const timeouts = mode === "healing" && isSentAgain ? 1 : attempts;
      const timeoutMs = options?.timeoutMs ?? 0;
      // A timer may fire up to a millisecond early.
      expect(systemClock.monotonic() - startedAt).toBeGreaterThanOrEqual(timeouts * (timeoutMs - 1));
      watch.expectBelow(timeouts * (timeoutMs + GRACE_MS));
    }
    if (right.letsGo && mode !== "healing") await peer.released();
    if (mode === "healing" && isSentAgain) expect(result, inspect(result)).toEqual({ data: { ok: true }, attempts: 2 });
    else checkError(result, right, { attempts, outcome: retry === "effect" ? right.outcome : undefined });
  } finally {
    await peer.close();
  }
}

function checkError(error: unknown, right: Failure, facts: object): void {
  expect(error, inspect(error)).toBeInstanceOf(SvcError);
  if (!(error instanceof SvcError)) return;
  expect(error.name, error.message).toBe(right.error.name);
  expect(error).toMatchObject({ ...facts, ...right.shows });
  if (right.says) expect(error.message).toMatch(right.says);
  expect(error.message).not.toContain("[object ");
  expect(error.message.length).toBeLessThan(5_000);
  // At most the library's words: its error may contain the request.
  const { cause = new Error("") } = error;
  expect(cause).toEqual(new Error(String(Object(cause).message).slice(0, 1_000)));
  expect(Object.keys(Object(cause))).toEqual([]);
  expect(inspect(error, { depth: null, showHidden: true }) + JSON.stringify(error)).not.toContain(KEY);
}

/** No retry is hot, and none comes earlier than asked. */
function checkWaits({ slept }: FakeClock, retries: number, waitsMs: readonly number[] = []): void {
  expect(slept.length).toBeGreaterThanOrEqual(retries);
  for (const [index, ms] of slept.slice(0, retries).entries()) {
    expect(ms).toBeGreaterThanOrEqual(waitsMs[index] ?? 20);
    // Nor much later: the service's word replaces our backoff, it does not come on top.
    expect(ms).toBeLessThanOrEqual(Math.max(waitsMs[index] ?? 0, 8_000));
  }
}

const GOOD = writes(json(200, { ok: true }));

/** A server as the other side of a call. */
export function peerOf(server: WireServer, options: SvcOptions = {}): Peer {
  return {
    options: { baseUrl: server.address, ...options },
    turns: () => server.turns,
    released: server.released,
    close: server.close,
  };
}

/** The other side of a call that never reaches a server. */
export const NOWHERE: Peer = {
  options: {},
  turns: () => 0,
  released: async () => undefined,
  close: async () => undefined,
};

/** A peer over TCP that makes this move in every exchange. */
export function playing(move: Move): Fault["peer"] {
  return async (heals) => peerOf(await wireServer((turn) => (heals && turn > 1 ? GOOD : move)));
}

/** A peer that is a fetch, as a user may inject one. */
export function fetching(fetch: (request: Request) => unknown): Fault["peer"] {
  return async (heals) => {
    let turns = 0;
    const injected = (request: Request) => {
      turns += 1;
      return heals && turns > 1 ? Response.json({ ok: true }) : fetch(request);
    };
    return {
      ...NOWHERE,
      // A user without types may inject anything; that is the fault.
      options: { baseUrl: "https://api.example.com", fetch: injected as NonNullable<SvcOptions["fetch"]> },
      turns: () => turns,
    };
  };
}
