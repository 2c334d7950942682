// Keeps an emulator's state in a folder. Run it with: node examples/emulator-folder.ts
// #region folder
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Svc } from "svc-sdk";
import { startEmulator } from "svc-sdk/emulator/node";

const data = await mkdtemp(join(tmpdir(), "svc-")); // any folder
const before = await startEmulator({ data });
await new Svc(before.connection).connectedAccounts.delete("ca_slack_demo");
await before.close();

const after = await startEmulator({ data });
const { items } = await new Svc(after.connection).connectedAccounts.list();
console.log(`Slack is ${items.some(({ id }) => id === "ca_slack_demo") ? "connected" : "gone"}`); // gone
await after.close();
// #endregion
