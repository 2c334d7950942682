// Starts the built emulator as a separate process, with a small rate window, and runs the example against it.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

const emulator = spawn(
  process.execPath,
  ["dist/cli.js", "emulator", "--port", "0", "--rate-limit", "12", "--window", "2", "--log", "none"],
  { stdio: ["ignore", "pipe", "inherit"] },
);

const environment = { ...process.env };
for await (const line of createInterface({ input: emulator.stdout })) {
  const [, name, value] = /^export (\w+)=(.*)$/.exec(line) ?? [];
  if (name) environment[name] = value;
  if (name === "SVC_ORG_API_KEY") break;
}

const example = spawn(process.execPath, ["examples/quickstart.ts"], { stdio: "inherit", env: environment });
const [code] = await once(example, "exit");

if (emulator.exitCode === null) {
  emulator.kill("SIGINT");
  await once(emulator, "exit");
}
process.exitCode = code ?? 1;
