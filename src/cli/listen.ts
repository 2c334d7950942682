import { checkContract } from "../contract/index.js";
import type { DeliveryRecord } from "../emulator/node.js";
import { counted } from "../errors/mismatch-words.js";
import { ConfigError, type Svc } from "../index.js";
import { declareCommand, EMULATOR, text, UsageError, VERBOSE } from "./command.js";
import { connect } from "./connect.js";
import { printDeliveries } from "./deliveries.js";
import { emulatorUrl, follow } from "./emulator-control.js";
import { print, printNotice, withOutcome } from "./print.js";
import { isHttpUrl } from "./read-value.js";
import type { Terminal } from "./terminal.js";

export const command = declareCommand({
  usage: [["--forward-to http://localhost:3000/webhooks", ""]],
  options: { "forward-to": text("url", "your receiver"), verbose: VERBOSE },
  environment: [...EMULATOR, ["SVC_API_KEY", "its project key"]],
  notes: `Forwards each delivery once to your receiver, with the original signature and body. If the project has no subscription,
listen creates one for all events with your receiver's URL, and deletes it on exit: the emulator then delivers and retries
itself. It prints a line for each delivery. After a broken connection, it continues without a gap.`,
  exitCodes: { 0: "stopped" },
  run: async ({ verbose, "forward-to": receiver }, _words, terminal) => {
    const forwardTo = receiverUrl(receiver);
    const url = emulatorUrl(terminal);
    const svc = connect(terminal, verbose, { checks: [checkContract({ onMismatch: "throw" })] });
    const unsent = new AbortController();
    const activities = follow(url, AbortSignal.any([terminal.stopSignal(), unsent.signal]));
    let created: string | undefined;
    try {
      const subscribed = ensureSubscription(terminal, svc, forwardTo).then((id) => {
        created = id;
      });
      // The first activities are its requests, so nothing after them is missed. If there is no emulator, the stream's
      // error is the best one. A request that isn't sent, such as one without a key, causes no activity.
      subscribed.catch((error: unknown) => {
        if (error instanceof ConfigError) unsent.abort();
      });
      await activities.next();
      await subscribed;
      const running = new Set<Promise<void>>();
      for await (const activity of activities) {
        if (activity.type === "gap") {
          printNotice(terminal, `Some deliveries are missing: ${activity.reason}.`);
          // An emulator that was restarted may have forgotten the subscription.
          created = (await ensureSubscription(terminal, svc, forwardTo)) ?? created;
        } else if (activity.type === "attempt") {
          const forwarded = forward(terminal, activity.delivery, forwardTo).finally(() => running.delete(forwarded));
          running.add(forwarded);
        }
      }
      await Promise.all(running);
    } finally {
      await activities.return(undefined);
      if (created !== undefined) await svc.webhookSubscriptions.delete(created).catch(() => undefined);
    }
  },
});

function receiverUrl(text: string | undefined): string {
  const fail = (problem: string): never => {
    throw new UsageError(`${problem} Pass --forward-to http://localhost:3000/webhooks.`);
  };
  if (text === undefined) return fail("--forward-to is missing.");
  if (!isHttpUrl(text)) {
    return fail(`--forward-to must be a URL that starts with http, not ${text}.`);
  }
  return new URL(text).href;
}

/** Subscribes to all events if the project has no subscription. Returns the id of the new subscription. */
async function ensureSubscription(terminal: Terminal, svc: Svc, forwardTo: string): Promise<string | undefined> {
  const { items } = await svc.webhookSubscriptions.list({ limit: 1 });
  const existing = items[0];
  const subscription =
    existing ??
    (await svc.webhookSubscriptions.create({
      webhook_url: forwardTo,
      enabled_events: (await svc.webhookSubscriptions.listEventTypes()).items.map(({ event_type }) => event_type),
    }));
  const { enabled_events: events, secret, version } = subscription;
  print(terminal, [
    `Events arrive at ${forwardTo}. Your receiver needs:`,
    "",
    `export SVC_WEBHOOK_SECRET=${secret}`,
    "",
  ]);
  const count = counted(events.length, "event type");
  print(terminal, `${count} in ${version}${existing ? `, subscribed with ${existing.webhook_url}` : ""}`);
  return existing ? undefined : subscription.id;
}

/** How long a receiver may take, in milliseconds. */
const TIMEOUT_MS = 30_000;

/** Posts a delivery's first attempt again, and prints the outcome. Never rejects. */
async function forward(terminal: Terminal, delivery: DeliveryRecord, forwardTo: string): Promise<void> {
  const [first, ...others] = delivery.attempts;
  // The emulator sent it there itself.
  if (!first?.request || new URL(first.request.url).href === forwardTo) return printDeliveries(terminal, [delivery]);
  if (others.length > 0) return;
  const { id, type, version, body } = delivery;
  const shown = `${type} ${version}  ${id}`;
  const startedAt = performance.now();
  try {
    const { status, body: content } = await fetch(forwardTo, {
      method: "POST",
      headers: first.request.headers,
      body,
      redirect: "manual",
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    await content?.cancel();
    const advice = status < 300 ? "" : `  svc-sdk resend ${id} sends it again`;
    const tookMs = Math.round(performance.now() - startedAt);
    print(terminal, [withOutcome(`${status} POST ${forwardTo}  ${shown}  ${tookMs} ms${advice}`)]);
  } catch (error) {
    const { message, cause } = error instanceof Error ? error : new Error(String(error));
    const reason = cause instanceof Error && cause.message !== "" ? cause.message : message;
    print(terminal, [
      withOutcome(`broken POST ${forwardTo}  ${shown}  ${reason}  svc-sdk resend ${id} sends it again`),
    ]);
  }
}
