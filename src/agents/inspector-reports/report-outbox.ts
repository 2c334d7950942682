import type { RunReport } from "../../contract/run-schema.js";
import type { ClientNote } from "../../shared/client-owner.js";
import { CONTROL_PREFIX, REPORTS_PATH } from "../../shared/control-plane.js";
import { isString } from "../../shared/json.js";
import { sha256 } from "../../shared/sha256-sync.js";

/** Reports that wait while a request is in flight. More of them are lost, so an emulator that hangs takes no memory. */
const MOST_WAITING = 5_000;

/** How many reports a request has. */
const BATCH = 50;

/** Sends reports in their order. Resolves with true once an emulator has them, otherwise with false. Never rejects. */
export type Outbox = (reports: readonly RunReport[]) => Promise<boolean>;

/** The note is the log for the first line. */
type Box = { readonly send: Outbox; note: ClientNote | undefined };

/** One per emulator and process, so that reports stay in order. */
const boxes = new Map<string, Box>();

/**
 * The outbox for the emulator at an origin of this machine.
 *
 * @param note gets one line in the life of the process, once the server has proven to be an emulator.
 */
export function outboxOf(origin: string, note?: ClientNote): Outbox {
  const box = boxes.get(origin) ?? createBox(origin);
  boxes.set(origin, box);
  box.note ??= note;
  return box.send;
}

/** The id of a call in every report about it, from every process. */
export function runIdOf(scope: string, callId: string): string {
  return sha256(JSON.stringify([scope, callId])).slice(0, 16);
}

/** Sends a request to the control plane. */
export function callEmulator(origin: string, path: string, init?: RequestInit): Promise<Response> {
  return fetch(origin + CONTROL_PREFIX + path, { ...init, redirect: "error", signal: AbortSignal.timeout(2_000) });
}

/** Sends reports one request after the other, once the server has proven to be an emulator. */
function createBox(origin: string): Box {
  const waiting: RunReport[] = [];
  let isNoted = false;
  let isSending = false;
  let sending = Promise.resolve(false);
  /** `undefined` until the server has answered. */
  let isEmulator: boolean | undefined;
  const sendAll = async (): Promise<boolean> => {
    try {
      if (isEmulator === undefined) {
        const health = await callEmulator(origin, "/health");
        const { status, now }: { status?: unknown; now?: unknown } = health.ok ? Object(await health.json()) : {};
        isEmulator = status === "ok" && isString(now);
      }
      if (isEmulator && box.note && !isNoted) {
        isNoted = true;
        box.note(`toolsets report their runs to the emulator. Inspector: ${origin}/#/runs`);
      }
      while (isEmulator && waiting.length > 0) {
        const reports = waiting.splice(0, BATCH);
        const { ok, body } = await callEmulator(origin, REPORTS_PATH, {
          method: "POST",
          body: JSON.stringify({ reports }),
        });
        await body?.cancel();
        isEmulator = ok;
      }
    } catch {
      // It isn't running, or another program has its port now: the next report asks again.
      isEmulator = undefined;
    }
    waiting.length = 0;
    isSending = false;
    return isEmulator === true;
  };
  const send: Outbox = async (reports) => {
    if (isEmulator === false) return false;
    for (const report of reports) waiting.push(report);
    waiting.splice(0, waiting.length - MOST_WAITING);
    if (!isSending) {
      isSending = true;
      sending = sendAll();
    }
    return sending;
  };
  const box: Box = { send, note: undefined };
  return box;
}
