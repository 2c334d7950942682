import { signWebhook } from "../../webhooks/sign.js";
import type { ActivityFeed } from "../host/activity.js";
import type { EmulatorClock } from "../host/clock.js";
import type { DeliveryPost, StoredDelivery } from "../host/event-records.js";
import type { State } from "../host/state.js";
import { type DeliverySettings, post } from "./post.js";

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
  }

  /** Sends due deliveries once the current handler is done, so simultaneous events are sent together. */
  wake(): void {
    queueMicrotask(() => this.#sendDue());
  }

  /** Resolves when nothing is in flight or due. With a running clock, also waits for scheduled deliveries. */
  async settled(): Promise<void> {
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

  #start(delivery: StoredDelivery, before: Promise<void> = Promise.resolve()): Promise<void> {
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

  async #attempt(delivery: StoredDelivery, signal: AbortSignal): Promise<void> {
    const number = delivery.attempts.length + 1;
    const start = this.#clock.now();
    const build = () => this.#request(delivery, number);
    const outcome = await post(build, delivery.body, this.#settings, this.#clock, signal);
    // A reset or restore replaced the state.
    if (signal.aborted) return;
    const end = this.#clock.now();
    const [startedAt, endedAt] = [new Date(start).toISOString(), new Date(end).toISOString()];
    const attempt = { number, startedAt, endedAt, ...outcome };
    delivery.attempts.push(attempt);
    const { status } = outcome;
    const { attempts, delaysMs } = this.#settings;
    const isAcknowledged = status !== null && status >= 200 && status < 300;
    const isLast = number >= attempts || delivery.resend !== undefined;
    const isOver = isAcknowledged || isLast || !this.#subscriptionOf(delivery);
    if (isOver) {
      Object.assign(delivery, { state: isAcknowledged ? "delivered" : "failed", dueAt: null });
    } else {
      // Count from the due time, so one advance can pass several attempts.
      delivery.dueAt = (delivery.dueAt ?? start) + (end - start) + (delaysMs[number - 1] ?? delaysMs.at(-1) ?? 0);
    }
    this.#feed.publish({ type: "delivery", delivery: structuredClone(delivery), attempt });
  }

  /** The POST of an attempt: with the subscription's current URL and secret. See assumption E83. */
  #request(delivery: StoredDelivery, number: number): DeliveryPost {
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
      "x-svc-delivery-attempt": String(number),
    };
    return { url: subscription.webhook_url, headers };
  }

  #subscriptionOf({ subscriptionId }: StoredDelivery) {
    return this.#state.webhookSubscriptions.get(subscriptionId);
  }
}
