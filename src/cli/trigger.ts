import { sampleObjectOf } from "../emulator/from-catalog.js";
import type { DeliveryFaults } from "../emulator/node.js";
import type { Svc, WebhookSubscription } from "../index.js";
import { field, isObject } from "../shared/json.js";
import { declareCommand, EMULATOR, UsageError, VERBOSE } from "./command.js";
import { connect } from "./connect.js";
import { deliveriesOf, deliveryLine } from "./deliveries.js";
import { askEmulator, emulatorUrl, stopSignal } from "./emulator-control.js";
import { readJson } from "./files.js";
import { print, printNotice } from "./print.js";

/** Fires an event, and prints its deliveries. */
export const command = declareCommand({
  usage: [
    ["GITHUB_COMMIT_EVENT", "an instance of this trigger type; if there isn't one, it's created"],
    ["ti_8fK2mQ4xZ1", "this instance"],
  ],
  options: {
    body: {
      type: "string",
      value: "file",
      summary: "JSON file with the payload; by default, it's made up from the trigger type's schema",
    },
    version: {
      type: "string",
      value: "V1|V2|V3",
      summary: "format of the deliveries; by default, the subscription's",
    },
    copies: { type: "string", value: "number", default: "1", summary: "deliveries per subscription, from 1 to 100" },
    skew: { type: "string", value: "seconds", default: "0", summary: "offset of the sender's clock: --skew=-600" },
    verbose: VERBOSE,
  },
  environment: [...EMULATOR, ["SVC_API_KEY", "its project key"]],
  notes: "It prints the event's id, waits for the deliveries, and prints each in a line. Ctrl-C ends the wait.",
  exitCodes: { 0: "fired, even if no receiver accepted the event" },
  takesArguments: true,
  run: async (values, [target, ...others]) => {
    if (target === undefined || others.length > 0) throw usage("Pass one trigger type, or the id of a trigger.");
    const version = values.version === undefined ? undefined : VERSIONS.find((one) => one === values.version);
    if (values.version !== undefined && !version) throw usage(`--version must be V1, V2 or V3, not ${values.version}.`);
    const faults = { copies: integer("--copies", values.copies), skewSeconds: integer("--skew", values.skew) };
    if (faults.copies < 1 || faults.copies > 100) throw usage(`--copies must be from 1 to 100, not ${values.copies}.`);
    const url = emulatorUrl();
    // First of all: a service that isn't an emulator must not get a trigger.
    await askEmulator(url, "GET", "/health");
    const svc = connect(values.verbose);
    // Whatever this command changes for the event is brought back before it ends.
    const stopped = stopSignal();
    const { id, payload } = await readyTrigger(svc, target, values.body);
    const event = await inFormat(svc, version, () =>
      withFaults(url, faults, stopped, () =>
        askEmulator(url, "POST", `/triggers/${encodeURIComponent(id)}/fire`, payload),
      ),
    );
    print(`Fired ${String(field(event, "id"))} of ${id}.`);
    const sent = (await deliveriesOf(url)).filter(({ eventId }) => eventId === field(event, "id"));
    if (sent.length === 0)
      printNotice("No subscription has enabled svc.trigger.message: run svc-sdk listen, or create one.");
    print(...sent.map(deliveryLine));
  },
});

const VERSIONS = ["V1", "V2", "V3"] as const;

function usage(problem: string): UsageError {
  return new UsageError(`${problem} See svc-sdk trigger --help.`);
}

function integer(option: string, text: string): number {
  if (/^-?\d{1,9}$/.test(text)) return Number(text);
  throw usage(`${option} must be an integer, not ${text}.`);
}

/** The trigger to fire, enabled, with a payload. */
async function readyTrigger(svc: Svc, target: string, body: string | undefined) {
  const isId = target.startsWith("ti_");
  const query = isId ? { trigger_ids: [target] } : { trigger_names: [target] };
  const [existing] = (await svc.triggers.listActive(query)).items;
  if (!existing && isId) throw new Error(`The emulator has no enabled trigger ${target}.`);
  const type = await svc.triggers.getType(existing?.trigger_name ?? target);
  const given = body === undefined ? sampleObjectOf(type.payload, SAMPLE) : await readJson(body, "payload");
  if (!isObject(given)) throw new Error(`The payload ${body} must be a JSON object.`);
  return { id: existing?.id ?? (await createTrigger(svc, type)), payload: given };
}

/** The same payload each time. */
const SAMPLE = { seed: 1 };

type TriggerType = Awaited<ReturnType<Svc["triggers"]["getType"]>>;

async function createTrigger(svc: Svc, { slug, toolkit, config }: TriggerType): Promise<string> {
  const accounts = await svc.connectedAccounts.list({ toolkit_slugs: [toolkit.slug], statuses: ["ACTIVE"], limit: 1 });
  const [account] = accounts.items;
  if (!account) throw new Error(`No user has an active ${toolkit.slug} account, which ${slug} needs. Connect one.`);
  const trigger = await svc.triggers.upsert(slug, {
    connected_account_id: account.id,
    trigger_config: sampleObjectOf(config, SAMPLE),
  });
  printNotice(`Created ${trigger.trigger_id} for ${account.user_id}.`);
  return trigger.trigger_id;
}

/** Runs something while all subscriptions have a format. They get their own back afterward. */
async function inFormat<Result>(
  svc: Svc,
  version: (typeof VERSIONS)[number] | undefined,
  run: () => Promise<Result>,
): Promise<Result> {
  const changed: WebhookSubscription[] = [];
  try {
    for await (const subscription of svc.webhookSubscriptions.list()) {
      if (version === undefined || subscription.version === version) continue;
      changed.push(subscription);
      // Lifecycle events exist in V3 only.
      const enabled_events = version === "V3" ? subscription.enabled_events : ["svc.trigger.message"];
      await svc.webhookSubscriptions.update(subscription.id, { version, enabled_events });
    }
    return await run();
  } finally {
    for (const { id, enabled_events, version: own } of changed) {
      // A subscription's own format is one of the three.
      const format = own as (typeof VERSIONS)[number];
      await svc.webhookSubscriptions.update(id, { version: format, enabled_events });
    }
  }
}

/** Runs something with faults in deliveries, waits for the deliveries, and brings the earlier faults back. */
async function withFaults<Result>(
  url: string,
  faults: DeliveryFaults,
  stopped: AbortSignal,
  run: () => Promise<Result>,
): Promise<Result> {
  const before = field(await askEmulator(url, "GET", "/state"), "deliveryFaults");
  await askEmulator(url, "POST", "/deliveries/faults", { ...Object(before), ...faults });
  try {
    const result = await run();
    await askEmulator(url, "POST", "/settled", undefined, stopped).catch((error: unknown) => {
      if (!stopped.aborted) throw error;
    });
    return result;
  } finally {
    await askEmulator(url, "POST", "/deliveries/faults", before);
  }
}
