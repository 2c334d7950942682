// Starts an emulator on a free port, for programs in other processes. Run it with: node examples/start-emulator.ts
// #region start
import { Svc } from "svc-sdk";
import { startEmulator } from "svc-sdk/emulator/node";

const emulator = await startEmulator();
const svc = new Svc(emulator.connection);
console.log(`${(await svc.toolkits.list()).total_items} toolkits at ${emulator.url}`);
await emulator.close();
// #endregion
