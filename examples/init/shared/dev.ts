// Starts a local emulator of the service, and the app with its keys. No account needed: npm run dev
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { Svc } from "svc-sdk";
import { startEmulator } from "svc-sdk/emulator/node";
import { subscribe } from "./service.ts";

const PORT = process.env["PORT"] ?? "3000";
const APP_URL = `http://localhost:${PORT}`;
const emulator = await startEmulator();
const svc = new Svc(emulator.connection);
const { secret } = await subscribe(svc, APP_URL);

console.log(`The app:      ${APP_URL}`);
console.log(`The emulator: ${emulator.url}`);
console.log("Press Enter to simulate a commit on GitHub.");

const { baseUrl, apiKey } = emulator.connection;
const [command = "", ...parameters] = process.argv.slice(2);
const app = spawn(command, parameters, {
  env: { ...process.env, PORT, APP_URL, SVC_BASE_URL: baseUrl, SVC_API_KEY: apiKey, SVC_WEBHOOK_SECRET: secret },
  stdio: ["ignore", "inherit", "inherit"],
  shell: process.platform === "win32", // The commands of packages need it there.
});
app.on("exit", (code) => process.exit(code ?? 1));
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => app.kill(signal));

for await (const _line of createInterface({ input: process.stdin })) {
  const { items } = await svc.triggers.listActive();
  if (items.length === 0) console.log("Nothing listens for commits yet: connect GitHub first.");
  for (const { id } of items) emulator.triggers.fire(id, { id: "c0ffee", message: "Fix the build", author: "ada" });
}
