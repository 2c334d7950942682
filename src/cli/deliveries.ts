import { checkContract } from "../contract/index.js";
import { sampleObjectOf } from "../emulator/index.js";
import type { DeliveryRecord } from "../emulator/node.js";
import type { Svc, TriggerType } from "../index.js";
import type { Json } from "../shared/json.js";
import { declareCommand, EMULATOR, flag, JSON_OUTPUT, text, UsageError, VERBOSE } from "./command.js";
import { connect } from "./connect.js";
import { askEmulator, emulatorUrl, follow } from "./emulator-control.js";
import { type Cell, print, printNotice, printRows } from "./print.js";
import { bodyIn } from "./read-value.js";
import type { Terminal } from "./terminal.js";

const DELIVERIES_JSON = { ...JSON_OUTPUT, summary: "print each delivery as one line of JSON" } as const;

export const deliveries = declareCommand({
  usage: [
    ["", "list the last deliveries, each with the time of its last attempt"],
    ["--follow", "also print each attempt when it ends"],
  ],
  options: { follow: flag("continue until Ctrl-C"), json: DELIVERIES_JSON },
  environment: EMULATOR,
  run: async ({ follow: continues, json }, _words, terminal) => {
    const url = emulatorUrl(terminal);
    const known = await deliveriesOf(url);
    printDeliveries(terminal, known, json);
    if (!continues) {
      if (known.length === 0) printNotice(terminal, "No deliveries yet.");
      return;
    }
    for await (const activity of follow(url, terminal.stopSignal())) {
      if (activity.type === "gap") printNotice(terminal, `Some deliveries are missing: ${activity.reason}.`);
      else if (activity.type === "attempt") printDeliveries(terminal, [activity.delivery], json);
    }
  },
});

export const resend = declareCommand({
  usage: [["<delivery>", "svc-sdk deliveries shows the ids"]],
  options: {
    sign: flag("sign it again, with the current time: receivers reject signatures that are older than five minutes"),
    json: DELIVERIES_JSON,
  },
  progress: "Waiting for the receiver",
  environment: EMULATOR,
  notes: "By default, URL, headers, signature and body are those of the last attempt, byte for byte.",
  exitCodes: { 0: "sent, even if the receiver rejected it" },
  takesArguments: true,
  run: async ({ sign, json }, [id, ...others], terminal) => {
    if (!id?.startsWith("wd_") || others.length > 0) {
      throw new UsageError("Pass the id of one delivery, which starts with wd_.");
    }
    const url = emulatorUrl(terminal);
    const resent = await askEmulator(url, "resend", { id, body: { sign } });
    await askEmulator(url, "settled");
    const ids = new Set(resent.items.map((delivery) => delivery.id));
    const sent = (await deliveriesOf(url)).filter((delivery) => ids.has(delivery.id));
    printDeliveries(terminal, sent, json);
  },
});

/** The deliveries of an emulator, oldest first. */
async function deliveriesOf(url: string): Promise<readonly DeliveryRecord[]> {
  return (await askEmulator(url, "deliveries")).items;
}

/** Prints deliveries, each in one line. */
export function printDeliveries(terminal: Terminal, sent: readonly DeliveryRecord[], json = false): void {
  if (json)
    print(
      terminal,
      sent.map((delivery) => JSON.stringify(delivery)),
    );
  else printRows(terminal, sent.map(cellsOf));
}

const COLOR_OF_STATE = { pending: "quiet", delivered: "good", duplicate: "good", failed: "bad" } as const;

/** Id, state, event, receiver, and the outcome and time of the last attempt. */
function cellsOf({ id, type, version, state, attempts, subscriptionId, dueAt }: DeliveryRecord): Cell[] {
  const last = attempts.at(-1);
  const target = last?.request?.url ?? subscriptionId;
  const outcome = last ? `${last.status ?? "broken"} at attempt ${attempts.length}` : "";
  const next = dueAt === null || attempts.length === 0 ? "" : `next ${inSeconds(new Date(dueAt).toISOString())}`;
  const shownState = { text: state, color: COLOR_OF_STATE[state] };
  const times = [last ? inSeconds(last.endedAt) : "", next].map((text): Cell => ({ text, color: "quiet" }));
  return [id, shownState, `${type} ${version}`, target, outcome, ...times, last?.error ?? ""];
}

/** An ISO time without its milliseconds. */
const inSeconds = (time: string) => time.replace(/\.\d+Z$/, "Z");

export const trigger = declareCommand({
  usage: [
    ["GITHUB_COMMIT_EVENT", "an instance of this trigger type; if there isn't one, it's created"],
    ["ti_8fK2mQ4xZ1", "this instance"],
  ],
  options: {
    body: text(
      "json",
      "the payload: JSON, @file, or - for standard input; by default, a sample of the trigger type's schema",
    ),
    json: DELIVERIES_JSON,
    verbose: VERBOSE,
  },
  progress: "Waiting for the receiver",
  environment: [...EMULATOR, ["SVC_API_KEY", "its project key"]],
  notes: "It prints the event's id, waits for the deliveries, and prints each in a line. Ctrl-C ends the wait.",
  exitCodes: { 0: "fired, even if no receiver accepted the event" },
  takesArguments: true,
  run: async (values, [target, ...others], terminal) => {
    if (target === undefined || others.length > 0) {
      throw new UsageError("Pass one trigger type, or the id of a trigger.");
    }
    const body = values.body === undefined ? undefined : bodyIn(terminal, values.body);
    const url = emulatorUrl(terminal);
    // First of all: a service that isn't an emulator must not get a trigger.
    await askEmulator(url, "health");
    const svc = connect(terminal, values.verbose, { checks: [checkContract({ onMismatch: "throw" })] });
    const { id, payload } = await readyTrigger(terminal, svc, target, body);
    const stopped = terminal.stopSignal();
    const event = await askEmulator(url, "fire", { id, body: payload });
    const fired = `Fired ${event.id} of ${id}.`;
    if (values.json) printNotice(terminal, fired);
    else print(terminal, fired);
    await askEmulator(url, "settled", { signal: stopped }).catch((error: unknown) => {
      if (!stopped.aborted) throw error;
    });
    const sent = (await deliveriesOf(url)).filter(({ eventId }) => eventId === event.id);
    if (sent.length === 0) {
      printNotice(terminal, "No subscription has enabled svc.trigger.message: run svc-sdk listen, or create one.");
    }
    printDeliveries(terminal, sent, values.json);
  },
});

/** The trigger to fire, enabled, with a payload. */
async function readyTrigger(terminal: Terminal, svc: Svc, target: string, body: Json | undefined) {
  const isId = target.startsWith("ti_");
  const query = isId ? { trigger_ids: [target] } : { trigger_names: [target] };
  const [existing] = (await svc.triggers.listActive(query)).items;
  if (!existing && isId) throw new Error(`The emulator has no enabled trigger ${target}.`);
  const type = await svc.triggers.getType(existing?.trigger_name ?? target);
  const payload = body ?? sampleObjectOf(type.payload, SAMPLE);
  return { id: existing?.id ?? (await createTrigger(terminal, svc, type)), payload };
}

/** The same payload each time. */
const SAMPLE = { seed: 1 };

async function createTrigger(terminal: Terminal, svc: Svc, { slug, toolkit, config }: TriggerType): Promise<string> {
  const accounts = await svc.connectedAccounts.list({ toolkit_slugs: [toolkit.slug], statuses: ["ACTIVE"], limit: 1 });
  const [account] = accounts.items;
  if (!account) throw new Error(`No user has an active ${toolkit.slug} account, which ${slug} needs. Connect one.`);
  const created = await svc.triggers.upsert(slug, {
    connected_account_id: account.id,
    trigger_config: sampleObjectOf(config, SAMPLE),
  });
  printNotice(terminal, `Created ${created.trigger_id} for ${account.user_id}.`);
  return created.trigger_id;
}
