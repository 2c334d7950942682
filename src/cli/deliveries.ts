import type { Activity, DeliveryRecord } from "../emulator/node.js";
import { field } from "../shared/json.js";
import { declareCommand, EMULATOR, UsageError } from "./command.js";
import { askEmulator, emulatorUrl, follow, stopSignal } from "./emulator-control.js";
import { print, printNotice } from "./print.js";

/** Lists deliveries, and follows them. */
export const deliveries = declareCommand({
  usage: [
    ["", "list the last deliveries"],
    ["--follow", "also print each attempt when it ends"],
  ],
  options: { follow: { type: "boolean", default: false, summary: "continue until Ctrl-C" } },
  environment: EMULATOR,
  run: async ({ follow: continues }) => {
    const url = emulatorUrl();
    const known = await deliveriesOf(url);
    print(...known.map(deliveryLine));
    if (!continues) {
      if (known.length === 0) printNotice("No deliveries yet.");
      return;
    }
    for await (const activity of follow(url, stopSignal())) {
      if (activity.type === "gap") printNotice(`Some deliveries are missing: ${activity.reason}.`);
      else if (isAttempt(activity)) print(deliveryLine(activity.delivery));
    }
  },
});

/** Sends a delivery again, and prints the outcome. */
export const resend = declareCommand({
  usage: [["<delivery>", "svc-sdk deliveries shows the ids"]],
  options: {
    sign: {
      type: "boolean",
      default: false,
      summary: "sign it again, with the current time: receivers reject signatures that are older than five minutes",
    },
  },
  environment: EMULATOR,
  notes: "By default, URL, headers, signature and body are those of the last attempt, byte for byte.",
  exitCodes: { 0: "sent, even if the receiver rejected it" },
  takesArguments: true,
  run: async ({ sign }, [id, ...others]) => {
    if (id === undefined || others.length > 0) {
      throw new UsageError("Pass the id of one delivery.");
    }
    const url = emulatorUrl();
    const path = `/deliveries/${encodeURIComponent(id)}/resend`;
    // The control plane's own shape.
    const resent = field(await askEmulator(url, "POST", path, { sign }), "items") as DeliveryRecord[];
    await askEmulator(url, "POST", "/settled");
    const ids = new Set(resent.map((delivery) => delivery.id));
    print(...(await deliveriesOf(url)).filter((delivery) => ids.has(delivery.id)).map(deliveryLine));
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
