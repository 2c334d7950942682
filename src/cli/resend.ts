import type { DeliveryRecord } from "../emulator/node.js";
import { field } from "../shared/json.js";
import { declareCommand, EMULATOR, UsageError } from "./command.js";
import { deliveriesOf, deliveryLine } from "./deliveries.js";
import { askEmulator, emulatorUrl } from "./emulator-control.js";
import { print } from "./print.js";

/** Sends a delivery again, and prints the outcome. */
export const command = declareCommand({
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
      throw new UsageError("Pass the id of one delivery. See svc-sdk resend --help.");
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
