import { DELIVERY_ATTEMPT, DELIVERY_VERSION } from "../../shared/headers.js";
import { signWebhook } from "../../webhooks/sign.js";
import type { ActivityFeed } from "../engine/activity.js";
import type { EmulatorClock } from "../engine/clock.js";
import type { DeliveryRecord, DeliveryRequest } from "../engine/event-schema.js";
import type { State } from "../engine/state.js";
import type { DeliverySettings } from "./controls.js";
import { trimDeliveries } from "./events.js";
import { postDelivery, stateAfter } from "./post-delivery.js";

/** Signs deliveries for the fault `wrongSecret`. */
const WRONG_SECRET = "whsec_of_somebody_else";

/** The part of the state that deliveries need. */
type SenderState = Pick<State, "deliveries" | "webhookSubscriptions">;

/** Sends deliveries when they're due. Everything it knows is in the state, except requests in flight. */
export class DeliverySender {
  readonly #state: SenderState;
  readonly #clock: EmulatorClock;
  readonly #settings: DeliverySettings;
  readonly #feed: ActivityFeed;
  readonly #inFlight = new Map<string, Promise<void>>();
  /** Aborted by each reset, because requests in flight belong to the old state. */
  #session = new AbortController();
  #timer: { readonly done: Promise<void>; cancel(): void } | undefined;

  constructor(state: SenderState, clock: EmulatorClock, settings: DeliverySettings, feed: ActivityFeed) {
    this.#state = state;
    this.#clock = clock;
    this.#settings = settings;
    this.#feed = feed;
    // A pause ends the wait of `waitForDeliveries` for the timer.
    clock.onChange(this.wake);
  }

  /** Sends due deliveries once the current handler is done, so simultaneous events are sent together. */
  readonly wake = (): void => queueMicrotask(() => this.#sendDue());

  /** Cancels requests in flight and sends nothing more. */
  stop(): void {
    this.#session.abort();
    this.#inFlight.clear();
    this.#setTimer([]);
  }

  /** Starts over after the state was replaced. */
  restart(): void {
    this.stop();
    this.#session = new AbortController();
    this.wake();
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

  #sendDue(): void {
    if (this.#session.signal.aborted) return;
    const { items, faults } = this.#state.deliveries;
    const now = this.#clock.now();
    const waiting = items.filter(({ id, state }) => state === "pending" && !this.#inFlight.has(id));
    const due = waiting.filter(({ dueAt }) => dueAt !== null && dueAt <= now);
    if (faults.reorder) {
      // Send one after another, because parallel requests arrive in any order.
      let before = Promise.resolve();
      for (const delivery of due.reverse()) before = this.#send(delivery, before);
    } else {
      for (const delivery of due) void this.#send(delivery);
    }
    this.#setTimer(waiting.flatMap(({ dueAt }) => (dueAt !== null && dueAt > now ? [dueAt - now] : [])));
  }

  #setTimer(waits: readonly number[]): void {
    this.#timer?.cancel();
    this.#timer = undefined;
    if (waits.length === 0) return;
    const cancelled = new AbortController();
    const soonest = waits.reduce((left, right) => Math.min(left, right));
    const wait = this.#clock.sleep(soonest, cancelled.signal);
    const done = wait.then(
      () => this.#sendDue(),
      () => undefined,
    );
    this.#timer = { done, cancel: () => cancelled.abort() };
  }

  #send(delivery: DeliveryRecord, before: Promise<void> = Promise.resolve()): Promise<void> {
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
    const buildRequest = () => this.#requestOf(delivery, number);
    const outcome = await postDelivery(buildRequest, delivery.body, this.#settings, this.#clock, signal);
    // A reset or restore replaced the state.
    if (signal.aborted) return;
    const end = this.#clock.now();
    const times = { startedAt: new Date(start).toISOString(), endedAt: new Date(end).toISOString() };
    const attempt = { number, ...times, ...outcome };
    delivery.attempts.push(attempt);
    const state = stateAfter(outcome);
    const isLast = number >= this.#settings.attempts || delivery.resend !== undefined;
    if (state !== "failed" || isLast || !this.#subscriptionOf(delivery)) {
      Object.assign(delivery, { state, dueAt: null });
    } else {
      // Count from the due time, so one advance can pass several attempts.
      const { delaysMs } = this.#settings;
      const delayMs = delaysMs[number - 1] ?? delaysMs.at(-1) ?? 0;
      Object.assign(delivery, { dueAt: (delivery.dueAt ?? start) + (end - start) + delayMs });
    }
    this.#feed.publish({ type: "delivery", delivery: structuredClone(delivery), attempt });
    trimDeliveries(this.#state.deliveries.items);
  }

  /** The POST of an attempt: with the subscription's current URL and secret. Assumption E83. */
  #requestOf(delivery: DeliveryRecord, number: number): DeliveryRequest {
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
      [DELIVERY_VERSION]: version,
      [DELIVERY_ATTEMPT]: String(number),
    };
    return { url: subscription.webhook_url, headers };
  }

  #subscriptionOf({ subscriptionId }: DeliveryRecord) {
    return this.#state.webhookSubscriptions.get(subscriptionId);
  }
}
