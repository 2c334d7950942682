import { sampleObjectOf } from "../emulator/from-catalog.js";
import type { Svc } from "../index.js";
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
    verbose: VERBOSE,
  },
  environment: [...EMULATOR, ["SVC_API_KEY", "its project key"]],
  notes: "It prints the event's id, waits for the deliveries, and prints each in a line. Ctrl-C ends the wait.",
  exitCodes: { 0: "fired, even if no receiver accepted the event" },
  takesArguments: true,
  run: async (values, [target, ...others]) => {
    if (target === undefined || others.length > 0) {
      throw new UsageError("Pass one trigger type, or the id of a trigger.");
    }
    const url = emulatorUrl();
    // First of all: a service that isn't an emulator must not get a trigger.
    await askEmulator(url, "GET", "/health");
    const { id, payload } = await readyTrigger(connect(values.verbose), target, values.body);
    const stopped = stopSignal();
    const event = await askEmulator(url, "POST", `/triggers/${encodeURIComponent(id)}/fire`, payload);
    print(`Fired ${String(field(event, "id"))} of ${id}.`);
    await askEmulator(url, "POST", "/settled", undefined, stopped).catch((error: unknown) => {
      if (!stopped.aborted) throw error;
    });
    const sent = (await deliveriesOf(url)).filter(({ eventId }) => eventId === field(event, "id"));
    if (sent.length === 0) {
      printNotice("No subscription has enabled svc.trigger.message: run svc-sdk listen, or create one.");
    }
    print(...sent.map(deliveryLine));
  },
});

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
