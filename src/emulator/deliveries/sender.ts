import { signWebhook } from "../../webhooks/sign.js";
import type { EmulatorClock } from "../host/clock.js";
import type { StoredDelivery } from "../host/event-records.js";
import type { State } from "../host/state.js";
import { type DeliveryRequest, type DeliverySettings, post } from "./post.js";

/** Signs for `wrongSecret`. Nobody's secret. */
const WRONG_SECRET = "whsec_of_somebody_else";

/** Sends what is due, when it is due. What it knows lies in the state; it holds only what is on the wire. */
export class DeliverySender {
  readonly #state: Pick<State, "deliveries" | "webhookSubscriptions">;
  readonly #clock: EmulatorClock;
  readonly #settings: DeliverySettings;
  readonly #isClockRunning: boolean;
  readonly #inFlight = new Map<string, Promise<void>>();
  /** Ends with each reset: what was on the wire then belongs to a state that is gone. */
  #life = new AbortController();
  #alarm: { readonly rung: Promise<void>; cancel(): void } | undefined;

  constructor(
    state: Pick<State, "deliveries" | "webhookSubscriptions">,
    clock: EmulatorClock,
    settings: DeliverySettings,
    isClockRunning: boolean,
  ) {
    this.#state = state;
    this.#clock = clock;
    this.#settings = settings;
    this.#isClockRunning = isClockRunning;
  }

  /** Sends what is due as soon as whoever emitted it is done: what happens at once goes out together. */
  wake(): void {
    queueMicrotask(() => this.#look());
  }

  /** Resolves when nothing is on the wire and nothing is due; with a clock that runs, when nothing will be. */
  async settled(): Promise<void> {
    for (;;) {
      this.#look();
      if (this.#inFlight.size > 0) await Promise.race(this.#inFlight.values());
      else if (this.#isClockRunning && this.#alarm) await this.#alarm.rung;
      else return;
    }
  }

  /** Begins anew with a state that was replaced. */
  restart(): void {
    this.stop();
    this.#life = new AbortController();
    this.wake();
  }

  /** Gives up what is on the wire and sends nothing more. */
  stop(): void {
    this.#life.abort();
    this.#inFlight.clear();
    this.#alarm?.cancel();
    this.#alarm = undefined;
  }

  #look(): void {
    if (this.#life.signal.aborted) return;
    const now = this.#clock.now();
    const waiting = this.#state.deliveries.items.filter(
      ({ id, state }) => state === "pending" && !this.#inFlight.has(id),
    );
    const due = waiting.filter(({ dueAt }) => dueAt !== null && dueAt <= now);
    if (this.#state.deliveries.misbehaviour.reorder) {
      // One after another: on the network, what is sent together arrives in any order.
      let before = Promise.resolve();
      for (const delivery of due.reverse()) before = this.#begin(delivery, before);
    } else {
      for (const delivery of due) void this.#begin(delivery);
    }
    this.#setAlarm(waiting.flatMap(({ dueAt }) => (dueAt !== null && dueAt > now ? [dueAt - now] : [])));
  }

  #setAlarm(waits: readonly number[]): void {
    this.#alarm?.cancel();
    this.#alarm = undefined;
    if (waits.length === 0) return;
    const cancelled = new AbortController();
    const rung = this.#clock.sleep(Math.min(...waits), cancelled.signal).then(
      () => this.#look(),
      () => undefined,
    );
    this.#alarm = { rung, cancel: () => cancelled.abort() };
  }

  #begin(delivery: StoredDelivery, before: Promise<void> = Promise.resolve()): Promise<void> {
    const { signal } = this.#life;
    const run = before
      .then(() => (signal.aborted ? undefined : this.#attempt(delivery, signal)))
      .then(() => {
        if (signal.aborted) return;
        this.#inFlight.delete(delivery.id);
        this.#look();
      });
    this.#inFlight.set(delivery.id, run);
    return run;
  }

  async #attempt(delivery: StoredDelivery, signal: AbortSignal): Promise<void> {
    const number = delivery.attempts.length + 1;
    const start = this.#clock.now();
    const { status, error } = await post(() => this.#parcel(delivery, number), this.#settings, this.#clock, signal);
    // A reset or a restore has put another state in the place of this one.
    if (signal.aborted) return;
    const end = this.#clock.now();
    const [startedAt, endedAt] = [new Date(start).toISOString(), new Date(end).toISOString()];
    delivery.attempts.push({ number, startedAt, endedAt, status, error });
    const { attempts, delaysMs } = this.#settings;
    const isAcknowledged = status !== null && status >= 200 && status < 300;
    const isOver = isAcknowledged || number >= attempts || !this.#subscriptionOf(delivery);
    if (isOver) {
      Object.assign(delivery, { state: isAcknowledged ? "delivered" : "failed", dueAt: null });
    } else {
      // Counted from when it was due: a clock that was advanced over several attempts has passed them all.
      delivery.dueAt = (delivery.dueAt ?? start) + (end - start) + (delaysMs[number - 1] ?? delaysMs.at(-1) ?? 0);
    }
  }

  /** The POST of an attempt: to the address and with the secret that the subscription has now. See assumption E83. */
  #parcel(delivery: StoredDelivery, number: number): DeliveryRequest {
    const { eventId, subscriptionId, version, body } = delivery;
    const subscription = this.#subscriptionOf(delivery);
    if (!subscription) throw new Error(`Not sent: there is no subscription ${subscriptionId} any more.`);
    const { wrongSecret, skewSeconds } = this.#state.deliveries.misbehaviour;
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
    return { url: subscription.webhook_url, headers, body };
  }

  #subscriptionOf({ subscriptionId }: StoredDelivery) {
    return this.#state.webhookSubscriptions.get(subscriptionId);
  }
}
