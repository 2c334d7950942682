import type { Svc, SvcOptions } from "../../../src/index.js";
import { clientOf, send } from "../../support/client.js";
import { type HeldClock, heldClock, settle } from "../../support/clock.js";

/** A service that answers when it is told to, and a client of it. */
export interface AnsweringService {
  readonly svc: Svc;
  readonly clock: HeldClock;
  /** Requests that arrived and were not answered yet, oldest first, by the label they carry. */
  readonly open: readonly string[];
  /** Everything that arrived, in order. */
  readonly arrived: readonly string[];
  /** Starts a call that carries a label. */
  call(label: string, priority?: "high" | "normal"): Promise<unknown>;
  /** Starts many. */
  calls(count: number): Promise<unknown>[];
  /** Answers the oldest open request, or the oldest with a label; with the limiter's body, where no other is given. */
  answer(rateHeaders?: Record<string, string>, status?: number, label?: string, body?: object): Promise<void>;
}

/** A service that answers when it is told to. */
export function answeringService(optionsFor: (clock: HeldClock) => SvcOptions = () => ({})): AnsweringService {
  const open: { label: string; answer: (response: Response) => void }[] = [];
  const arrived: string[] = [];
  const clock = heldClock();
  const svc = clientOf(
    (request) =>
      new Promise((answer) => {
        const label = request.headers.get("x-label") ?? "";
        arrived.push(label);
        open.push({ label, answer });
      }),
    { clock, maxRetries: 0, ...optionsFor(clock) },
  );
  const call: AnsweringService["call"] = (label, priority = "normal") =>
    send(svc, "safe", { headers: { "x-label": label }, priority }).catch((error: unknown) => error);
  return {
    svc,
    clock,
    arrived,
    get open() {
      return open.map(({ label }) => label);
    },
    call,
    calls: (count) => Array.from({ length: count }, (_, index) => call(String(index + 1))),
    answer: async (headers = {}, status = 200, label = open[0]?.label, body = { message: "m" }) => {
      const index = open.findIndex((request) => request.label === label);
      open.splice(index, 1)[0]?.answer(Response.json(body, { status, headers }));
      await settle();
    },
  };
}

/** Headers for a window that is too small for a reserve for high priority. */
export const window = (remaining: number, limit = 19) => ({
  "x-ratelimit": String(limit),
  "x-ratelimit-remaining": String(remaining),
  "x-ratelimit-window-size": "60s",
});
