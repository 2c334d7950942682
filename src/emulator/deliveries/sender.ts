import { rejectionBy } from "../../shared/timers.js";
import { signWebhook } from "../../webhooks/sign.js";
import type { ActivityFeed } from "../engine/activity.js";
import type { EmulatorClock } from "../engine/clock.js";
import type { DeliveryRecord, DeliveryRequest, ReceiverResponse } from "../engine/event-schema.js";
import { KEPT_CHARACTERS, maskHeader } from "../engine/recording.js";
import type { State } from "../engine/state.js";
import type { DeliverySettings } from "./controls.js";

/** Header of every delivery, which the control plane rejects: others choose where deliveries go. */
export const ATTEMPT_HEADER = "x-svc-delivery-attempt";

/** Signs deliveries for the fault `wrongSecret`. */
const WRONG_SECRET = "whsec_of_somebody_else";

/** Sends deliveries when they're due. Everything it knows is in the state, except requests in flight. */
export function deliverySender(
  state: Pick<State, "deliveries" | "webhookSubscriptions">,
  clock: EmulatorClock,
  settings: DeliverySettings,
  feed: ActivityFeed,
) {
  const inFlight = new Map<string, Promise<void>>();
  /** Aborted by each reset, because requests in flight belong to the old state. */
  let session = new AbortController();
  let timer: { readonly done: Promise<void>; cancel(): void } | undefined;

  const subscriptionOf = ({ subscriptionId }: DeliveryRecord) => state.webhookSubscriptions.get(subscriptionId);

  /** The POST of an attempt: with the subscription's current URL and secret. Assumption E83. */
  const requestOf = (delivery: DeliveryRecord, number: number): DeliveryRequest => {
    const { eventId, subscriptionId, version, body, resend } = delivery;
    if (resend?.exactly) return resend.exactly;
    const subscription = subscriptionOf(delivery);
    if (!subscription) throw new Error(`Not sent: subscription ${subscriptionId} no longer exists.`);
    const { wrongSecret, skewSeconds } = resend ?? state.deliveries.faults;
    const signed = signWebhook({
      id: eventId,
      timestamp: Math.floor(clock.now() / 1_000) + skewSeconds,
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
  };

  const attemptOnce = async (delivery: DeliveryRecord, signal: AbortSignal) => {
    const number = delivery.attempts.length + 1;
    const start = clock.now();
    const outcome = await post(() => requestOf(delivery, number), delivery.body, settings, clock, signal);
    // A reset or restore replaced the state.
    if (signal.aborted) return;
    const end = clock.now();
    const times = { startedAt: new Date(start).toISOString(), endedAt: new Date(end).toISOString() };
    const attempt = { number, ...times, ...outcome };
    delivery.attempts.push(attempt);
    const isAcknowledged = outcome.status !== null && outcome.status >= 200 && outcome.status < 300;
    const isLast = number >= settings.attempts || delivery.resend !== undefined;
    if (isAcknowledged || isLast || !subscriptionOf(delivery)) {
      Object.assign(delivery, { state: isAcknowledged ? "delivered" : "failed", dueAt: null });
    } else {
      // Count from the due time, so one advance can pass several attempts.
      const delayMs = settings.delaysMs[number - 1] ?? settings.delaysMs.at(-1) ?? 0;
      Object.assign(delivery, { dueAt: (delivery.dueAt ?? start) + (end - start) + delayMs });
    }
    feed.publish({ type: "delivery", delivery: structuredClone(delivery), attempt });
  };

  const send = (delivery: DeliveryRecord, before: Promise<void> = Promise.resolve()): Promise<void> => {
    const { signal } = session;
    const run = before
      .then(() => (signal.aborted ? undefined : attemptOnce(delivery, signal)))
      .then(() => {
        if (signal.aborted) return;
        inFlight.delete(delivery.id);
        sendDue();
      });
    inFlight.set(delivery.id, run);
    return run;
  };

  const setTimer = (waits: readonly number[]) => {
    timer?.cancel();
    timer = undefined;
    if (waits.length === 0) return;
    const cancelled = new AbortController();
    const done = clock.sleep(Math.min(...waits), cancelled.signal).then(sendDue, () => undefined);
    timer = { done, cancel: () => cancelled.abort() };
  };

  const sendDue = () => {
    if (session.signal.aborted) return;
    const now = clock.now();
    const waiting = state.deliveries.items.filter(({ id, state }) => state === "pending" && !inFlight.has(id));
    const due = waiting.filter(({ dueAt }) => dueAt !== null && dueAt <= now);
    if (state.deliveries.faults.reorder) {
      // Send one after another, because parallel requests arrive in any order.
      let before = Promise.resolve();
      for (const delivery of due.reverse()) before = send(delivery, before);
    } else {
      for (const delivery of due) void send(delivery);
    }
    setTimer(waiting.flatMap(({ dueAt }) => (dueAt !== null && dueAt > now ? [dueAt - now] : [])));
  };

  /** Sends due deliveries once the current handler is done, so simultaneous events are sent together. */
  const wake = () => queueMicrotask(sendDue);

  /** Cancels requests in flight and sends nothing more. */
  const stop = () => {
    session.abort();
    inFlight.clear();
    timer?.cancel();
    timer = undefined;
  };

  /** Starts over after the state was replaced. */
  const restart = () => {
    stop();
    session = new AbortController();
    wake();
  };

  /** Resolves when nothing is in flight or due. With a running clock, also waits for scheduled deliveries. */
  const waitForDeliveries = async () => {
    for (;;) {
      sendDue();
      if (inFlight.size > 0) await Promise.race(inFlight.values());
      else if (clock.isRunning && timer) await timer.done;
      else return;
    }
  };

  // A pause ends the wait of `waitForDeliveries` for the timer.
  clock.onChange(wake);
  return { wake, stop, restart, waitForDeliveries };
}

export type DeliverySender = ReturnType<typeof deliverySender>;

/**
 * Sends a POST and waits for the response, without following redirects. Never rejects: returns what was sent, and the
 * response or why no response came.
 *
 * @param cancelled ends it, even if `fetch` ignores its signal.
 */
async function post(
  buildRequest: () => DeliveryRequest,
  body: string,
  { fetch, timeoutMs }: DeliverySettings,
  clock: EmulatorClock,
  cancelled: AbortSignal,
) {
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
