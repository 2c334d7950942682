import type { DeliveryRecord } from "../emulator/node.js";
import { field } from "../shared/json.js";
import { deliveriesOf, deliveryLine } from "./deliveries.js";
import { askEmulator, emulatorUrl } from "./emulator-control.js";
import { parseArguments, UsageError } from "./parse-options.js";
import { print } from "./print.js";

const HELP = `svc-sdk resend: send a webhook delivery of an emulator again

Usage
  svc-sdk resend <delivery>   svc-sdk deliveries shows the ids

Options
  --sign       sign it again, with the current time: receivers reject signatures that are older than five minutes
  -h, --help   show this help

Environment
  SVC_BASE_URL   URL of the emulator

By default, URL, headers, signature and body are those of the last attempt, byte for byte.

Exit codes
  0  sent, even if the receiver rejected it
  1  error; see the message
  2  invalid command line
`;

/** Sends a delivery again, and prints the outcome. */
export async function resendCommand(commandLine: string[]): Promise<void> {
  const { values, positionals } = parseArguments("resend", OPTIONS, commandLine);
  if (values.help) {
    print(...HELP.trimEnd().split("\n"));
    return;
  }
  const [id, ...others] = positionals;
  if (id === undefined || others.length > 0) {
    throw new UsageError("Pass the id of one delivery. See svc-sdk resend --help.");
  }
  const url = emulatorUrl();
  const path = `/deliveries/${encodeURIComponent(id)}/resend`;
  // The control plane's own shape.
  const resent = field(await askEmulator(url, "POST", path, { sign: values.sign }), "items") as DeliveryRecord[];
  await askEmulator(url, "POST", "/settled");
  const ids = new Set(resent.map((delivery) => delivery.id));
  print(...(await deliveriesOf(url)).filter((delivery) => ids.has(delivery.id)).map(deliveryLine));
}

/** Options of `svc-sdk resend`. */
export const OPTIONS = {
  sign: { type: "boolean", default: false },
  help: { type: "boolean", short: "h", default: false },
} as const;
