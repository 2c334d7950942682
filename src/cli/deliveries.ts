import type { Activity, DeliveryRecord } from "../emulator/node.js";
import { field } from "../shared/json.js";
import { askEmulator, emulatorUrl, follow } from "./emulator-control.js";
import { parseOptions } from "./parse-options.js";
import { print, printNotice } from "./print.js";
import { stopSignal } from "./stop-signal.js";

const HELP = `svc-sdk deliveries: the webhook deliveries of a running emulator

Usage
  svc-sdk deliveries            list the last deliveries
  svc-sdk deliveries --follow   also print each attempt when it ends

Options
  --follow     continue until Ctrl-C
  -h, --help   show this help

Environment
  SVC_BASE_URL   URL of the emulator

Exit codes
  0  done
  1  error; see the message
  2  invalid command line
`;

/** Lists deliveries, and follows them. */
export async function deliveriesCommand(commandLine: string[]): Promise<void> {
  const { follow: continues, help } = parseOptions("deliveries", OPTIONS, commandLine);
  if (help) {
    print(...HELP.trimEnd().split("\n"));
    return;
  }
  const url = emulatorUrl();
  const deliveries = await deliveriesOf(url);
  print(...deliveries.map(deliveryLine));
  if (!continues) {
    if (deliveries.length === 0) printNotice("No deliveries yet.");
    return;
  }
  for await (const activity of follow(url, stopSignal())) {
    if (activity.type === "gap") printNotice(`Some deliveries are missing: ${activity.reason}.`);
    else if (isAttempt(activity)) print(deliveryLine(activity.delivery));
  }
}

/** Options of `svc-sdk deliveries`. */
export const OPTIONS = {
  follow: { type: "boolean", default: false },
  help: { type: "boolean", short: "h", default: false },
} as const;

/** The deliveries of an emulator, oldest first. */
export async function deliveriesOf(url: string): Promise<readonly DeliveryRecord[]> {
  // The control plane's own shape.
  return field(await askEmulator(url, "GET", "/deliveries"), "items") as readonly DeliveryRecord[];
}

/** Whether an attempt of a delivery ended. */
export function isAttempt(activity: Activity): activity is Activity & { readonly type: "delivery" } {
  return activity.type === "delivery" && activity.attempt !== null;
}

/** A delivery in one line: id, event, receiver, and the outcome of its last attempt. */
export function deliveryLine({ id, type, version, state, attempts, subscriptionId }: DeliveryRecord): string {
  const last = attempts.at(-1);
  const target = last?.request?.url ?? subscriptionId;
  const outcome = last ? `${last.status ?? "broken"} at attempt ${attempts.length}` : "";
  return [id, state, `${type} ${version}`, target, outcome, last?.error ?? ""].filter((part) => part !== "").join("  ");
}
