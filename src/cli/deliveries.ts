import type { Activity, DeliveryRecord } from "../emulator/node.js";
import { field } from "../shared/json.js";
import { declareCommand, EMULATOR } from "./command.js";
import { askEmulator, emulatorUrl, follow, stopSignal } from "./emulator-control.js";
import { print, printNotice } from "./print.js";

/** Lists deliveries, and follows them. */
export const command = declareCommand({
  usage: [
    ["", "list the last deliveries"],
    ["--follow", "also print each attempt when it ends"],
  ],
  options: { follow: { type: "boolean", default: false, summary: "continue until Ctrl-C" } },
  environment: EMULATOR,
  run: async ({ follow: continues }) => {
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
  },
});

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
