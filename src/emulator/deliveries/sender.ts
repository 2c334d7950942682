import { rejectionBy } from "../../shared/timers.js";
import { signWebhook } from "../../webhooks/sign.js";
import type { ActivityFeed } from "../engine/activity.js";
import type { EmulatorClock } from "../engine/clock.js";
import type { DeliveryAttempt, DeliveryRecord, DeliveryRequest, ReceiverResponse } from "../engine/event-schema.js";
import { KEPT_CHARACTERS, maskHeader } from "../engine/recording.js";
import type { State } from "../engine/state.js";
import type { DeliverySettings } from "./controls.js";

/** Header of every delivery, which the control plane rejects: others choose where deliveries go. */
export const ATTEMPT_HEADER = "x-svc-delivery-attempt";

/** Signs deliveries for the fault `wrongSecret`. */
const WRONG_SECRET = "whsec_of_somebody_else";

/** Sends deliveries when they're due. Everything it knows is in the state, except requests in flight. */
export class DeliverySender {
  readonly #state: Pick<State, "deliveries" | "webhookSubscriptions">;
  readonly #clock: EmulatorClock;
  readonly #settings: DeliverySettings;
  readonly #feed: ActivityFeed;
  readonly #inFlight = new Map<string, Promise<void>>();
  /** Aborted by each reset, because requests in flight belong to the old state. */
  #session = new AbortController();
  #timer: { readonly done: Promise<void>; cancel(): void } | undefined;

  constructor(
    state: Pick<State, "deliveries" | "webhookSubscriptions">,
    clock: EmulatorClock,
    settings: DeliverySettings,
    feed: ActivityFeed,
  ) {
    this.#state = state;
    this.#clock = clock;
    this.#settings = settings;
    this.#feed = feed;
    // A pause ends the wait of `waitForDeliveries` for the timer.
    clock.onChange(() => this.wake());
  }

  /** Sends due deliveries once the current handler is done, so simultaneous events are sent together. */
  wake(): void {
    queueMicrotask(() => this.#sendDue());
  }

  /** Resolves when nothing is in flight or due. With a running clock, also waits for scheduled deliveries. */
  async waitForDeliveries(): Promise<void> {
    for (;;) {
      this.#sendDue();
      if (this.#inFlight.size > 0) await Promise.race(this.#inFlight.values());
      else if (this.#clock.isRunning && this.#timer) await this.#timer.done;
      else return;
    }
  }

  /** Starts over after the state was replaced. */
  restart(): void {
    this.stop();
    this.#session = new AbortController();
    this.wake();
  }

  /** Cancels requests in flight and sends nothing more. */
  stop(): void {
    this.#session.abort();
    this.#inFlight.clear();
    this.#timer?.cancel();
    this.#timer = undefined;
  }

  #sendDue(): void {
    if (this.#session.signal.aborted) return;
    const now = this.#clock.now();
    const waiting = this.#state.deliveries.items.filter(
      ({ id, state }) => state === "pending" && !this.#inFlight.has(id),
    );
    const due = waiting.filter(({ dueAt }) => dueAt !== null && dueAt <= now);
    if (this.#state.deliveries.faults.reorder) {
      // Send one after another, because parallel requests arrive in any order.
      let before = Promise.resolve();
      for (const delivery of due.reverse()) before = this.#start(delivery, before);
    } else {
      for (const delivery of due) void this.#start(delivery);
    }
    this.#setTimer(waiting.flatMap(({ dueAt }) => (dueAt !== null && dueAt > now ? [dueAt - now] : [])));
  }

  #setTimer(waits: readonly number[]): void {
    this.#timer?.cancel();
    this.#timer = undefined;
    if (waits.length === 0) return;
    const cancelled = new AbortController();
    const done = this.#clock.sleep(Math.min(...waits), cancelled.signal).then(
      () => this.#sendDue(),
      () => undefined,
    );
    this.#timer = { done, cancel: () => cancelled.abort() };
  }

  #start(delivery: DeliveryRecord, before: Promise<void> = Promise.resolve()): Promise<void> {
    const { signal } = this.#session;
    const run = before
      .then(() => (signal.aborted ? undefined : this.#attempt(delivery, signal)))
      .then(() => {
        if (signal.aborted) return;
        this.#inFlight.delete(delivery.id);
        this.#sendDue();
      });
    this.#inFlight.set(delivery.id, run);
    return run;
  }

  async #attempt(delivery: DeliveryRecord, signal: AbortSignal): Promise<void> {
    const number = delivery.attempts.length + 1;
    const start = this.#clock.now();
    const build = () => this.#request(delivery, number);
    const outcome = await post(build, delivery.body, this.#settings, this.#clock, signal);
    // A reset or restore replaced the state.
    if (signal.aborted) return;
    const end = this.#clock.now();
    const times = { startedAt: new Date(start).toISOString(), endedAt: new Date(end).toISOString() };
    const attempt = { number, ...times, ...outcome };
    delivery.attempts.push(attempt);
    const { attempts, delaysMs } = this.#settings;
    const isAcknowledged = outcome.status !== null && outcome.status >= 200 && outcome.status < 300;
    const isLast = number >= attempts || delivery.resend !== undefined;
    if (isAcknowledged || isLast || !this.#subscriptionOf(delivery)) {
      Object.assign(delivery, { state: isAcknowledged ? "delivered" : "failed", dueAt: null });
    } else {
      // Count from the due time, so one advance can pass several attempts.
      const delayMs = delaysMs[number - 1] ?? delaysMs.at(-1) ?? 0;
      Object.assign(delivery, { dueAt: (delivery.dueAt ?? start) + (end - start) + delayMs });
    }
    this.#feed.publish({ type: "delivery", delivery: structuredClone(delivery), attempt });
  }

  /** The POST of an attempt: with the subscription's current URL and secret. Assumption E83. */
  #request(delivery: DeliveryRecord, number: number): DeliveryRequest {
    const { eventId, subscriptionId, version, body, resend } = delivery;
    if (resend?.exactly) return resend.exactly;
    const subscription = this.#subscriptionOf(delivery);
    if (!subscription) throw new Error(`Not sent: subscription ${subscriptionId} no longer exists.`);
    const { wrongSecret, skewSeconds } = resend ?? this.#state.deliveries.faults;
    const signed = signWebhook({
      id: eventId,
      timestamp: Math.floor(this.#clock.now() / 1_000) + skewSeconds,
      body,
      secret: wrongSecret ? WRONG_SECRET : subscription.secret,
    });
    const headers = {
      "content-type": "application/json",
      ...signed,
      "x-svc-webhook-version": version,
      [ATTEMPT_HEADER]: String(number),
    };
    return { url: subscription.webhook_url, headers };
  }

  #subscriptionOf({ subscriptionId }: DeliveryRecord) {
    return this.#state.webhookSubscriptions.get(subscriptionId);
  }
}

/** Result of a POST: what was sent, and the response or why no response came. */
type PostOutcome = Pick<DeliveryAttempt, "status" | "error" | "request" | "response">;

/**
 * Sends a POST and waits for the response, without following redirects. Never rejects.
 *
 * @param cancelled ends it, even if `fetch` ignores its signal.
 */
async function post(
  buildRequest: () => DeliveryRequest,
  body: string,
  { fetch, timeoutMs }: DeliverySettings,
  clock: EmulatorClock,
  cancelled: AbortSignal,
): Promise<PostOutcome> {
  const over = new AbortController();
  const giveUp = () => over.abort(new Error(`No response within ${timeoutMs} ms.`));
  const responded = new AbortController();
  void clock.sleep(timeoutMs, responded.signal).then(giveUp, () => undefined);
  const timer = setTimeout(giveUp, timeoutMs);
  const signal = AbortSignal.any([over.signal, cancelled]);
  let sent: DeliveryRequest | null = null;
  try {
    sent = buildRequest();
    const { url, headers } = sent;
    const request = new Request(url, { method: "POST", headers: { ...headers }, body, redirect: "manual", signal });
    const response = await Promise.race([fetch(request), rejectionBy(signal)]);
    const received = await read(response, signal);
    // This is how runtimes show a redirect they didn't follow.
    if (response.type === "opaqueredirect")
      return { ...NO_RESPONSE, error: "The receiver sent a redirect, which isn't followed.", request: sent };
    return { status: response.status, error: null, request: sent, response: received };
  } catch (error) {
    return { ...NO_RESPONSE, error: reasonOf(error), request: sent };
  } finally {
    responded.abort();
    clearTimeout(timer);
  }
}

const NO_RESPONSE = { status: null, response: null } as const;

/** Reads the whole body, to free the connection, and keeps its start. An error while reading doesn't matter. */
async function read({ body, headers }: Response, signal: AbortSignal): Promise<ReceiverResponse> {
  const decoder = new TextDecoder();
  let text = "";
  const sink = new WritableStream<Uint8Array>({
    write: (chunk) => {
      if (text.length < KEPT_CHARACTERS) text += decoder.decode(chunk, { stream: true });
    },
  });
  await body?.pipeTo(sink, { signal }).catch(() => undefined);
  const shown = Object.fromEntries([...headers].map(([name, value]) => [name, maskHeader(name, value)]));
  return { headers: shown, body: text.slice(0, KEPT_CHARACTERS) };
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { message, cause } = error;
  if (!(cause instanceof Error)) return message;
  // A host with several IPs fails with an error that has a code and no message.
  return `${message}: ${cause.message || ("code" in cause ? String(cause.code) : cause.name)}`;
}
