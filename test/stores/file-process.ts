import { fileDeliveries } from "../../src/stores/index.js";
import { signedDelivery } from "../../src/testing/index.js";
import { createReceiver } from "../../src/webhooks/index.js";

/** Receives each of COUNT events from PATH's store once. Dies in the handler of the KILL-th event that it handles. */
const { PATH = "", COUNT = "", KILL = "", TIMEOUT_MS = "" } = process.env;
const SECRET = "whsec_of_the_file, 0123456789";

let handled = 0;
const receiver = createReceiver({
  secret: SECRET,
  store: fileDeliveries(PATH),
  handlerTimeoutMs: Number(TIMEOUT_MS),
  on: {},
  onUnhandled: async ({ id }) => {
    await new Promise((resolve) => setTimeout(resolve, 1));
    process.send?.(id);
    handled += 1;
    if (handled === Number(KILL)) process.kill(process.pid, "SIGKILL");
  },
});

async function receive(id: string): Promise<void> {
  for (;;) {
    const response = await receiver(signedDelivery({ secret: SECRET, id }).request);
    if (response.status === 200) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

await Promise.all(Array.from({ length: Number(COUNT) }, (_, index) => receive(`msg_${index}`)));
process.send?.("done");
process.disconnect?.();
