import { HARMLESS_IN_AGENTS } from "./harmless-agents.ts";
import { HARMLESS_IN_APPROVALS } from "./harmless-approvals.ts";
import { MOMENT } from "./reasons.ts";

/**
 * The file, the code, its replacement, and why the change breaks no promise; then a part of the line, if the file has the
 * code in others.
 */
export type Harmless = readonly [file: string, original: string, replacement: string, reason: string, line?: string];

const FEWER = "Otherwise more calls are in flight than the numbers leave room for, which is checked next.";

/** Changes of `npm run mutants` that no world can notice. */
export const HARMLESS: readonly Harmless[] = [
  ...HARMLESS_IN_AGENTS,
  ...HARMLESS_IN_APPROVALS,
  [
    "src/client/pacing/rate-window-rules.ts",
    "end <= now + maxWaitMs",
    "end < now + maxWaitMs",
    MOMENT,
    "if (end > now",
  ],
  ["src/client/pacing/rate-window-rules.ts", "now >= window.carriedUntil", "now > window.carriedUntil", MOMENT],
  [
    "src/stores/shared-rate-window.ts",
    "this.#clock.monotonic() < this.#retryAt",
    "this.#clock.monotonic() <= this.#retryAt",
    MOMENT,
  ],
  [
    "src/stores/shared-rate-window.ts",
    "this.#clock.monotonic() < givesUpAt",
    "this.#clock.monotonic() <= givesUpAt",
    MOMENT,
  ],
  [
    "src/stores/shared-rate-window.ts",
    "{ clearTimeout(timer); }",
    "{}",
    "A timer that is left rejects a promise that no code awaits anymore.",
  ],
  [
    "src/stores/shared-rate-limit.ts",
    "[]",
    '["Stryker was here"]',
    "An ended call without a number and without a response changes nothing.",
  ],
  [
    "src/stores/stored-rate-window.ts",
    "firstBefore <= first && first <= started",
    "firstBefore <= first || first <= started",
    FEWER,
  ],
  ["src/stores/stored-rate-window.ts", "firstBefore <= first && first <= started", "true", FEWER],
  [
    "src/stores/stored-rate-window.ts",
    "Math.max(openedAt, answeredAt, carriedUntil) <= now + JUMP_MS",
    "Math.max(openedAt, answeredAt, carriedUntil) < now + JUMP_MS",
    MOMENT,
  ],
  ["src/webhooks/dedupe-store.ts", "++claims", "--claims", "Each claim has a number of its own either way."],
  [
    "src/client/pacing/rate-window-rules.ts",
    "window.reported?.windowMs",
    "window.reported.windowMs",
    "It is asked only if there is a reserve, and then a limit was reported.",
    "?? Number.POSITIVE_INFINITY",
  ],
  [
    "src/stores/shared-rate-window.ts",
    "clearTimeout(timer);",
    ";",
    "A timer that is left rejects a promise that no code awaits anymore.",
  ],
  ["src/stores/stored-rate-window.ts", "first <= started", "true", FEWER],
  [
    "src/webhooks/claims.ts",
    "monotonicNow() + waitMs >= this.#endsAt",
    "monotonicNow() + waitMs > this.#endsAt",
    MOMENT,
  ],
  [
    "src/stores/shared-rate-window.ts",
    "window.resets !== this.resets",
    "false",
    "It then reads the window less often, at least every half second.",
  ],
  [
    "src/stores/shared-rate-window.ts",
    "(window.blockedUntil ?? now) - now",
    "(window.blockedUntil ?? now) + now",
    "The store then keeps the string longer.",
  ],
];
