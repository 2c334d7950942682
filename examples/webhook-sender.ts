// The other side of webhook-receiver.ts, started by it: an emulator that lets a trigger fire when it is told to.
import { once } from "node:events";
import { startEmulator } from "svc-sdk/emulator/node";

const emulator = await startEmulator({ deliveries: { delaysMs: [100, 200] } });
process.once("disconnect", () => void emulator.close());
process.send?.(emulator.connection);

// #region misbehave
emulator.deliveries.misbehave({ copies: 3 });
const [{ trigger_id, payload }] = await once(process, "message");
emulator.triggers.fire(trigger_id, payload);
await emulator.settled();
// #endregion

process.send?.(emulator.deliveries.items.map(({ state }) => state));
