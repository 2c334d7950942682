import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, inject, test } from "vitest";
import { start } from "../examples/example-process.js";
import { freePort } from "../support/ports.js";

const { project } = inject("packed");
const installed = join(project, "node_modules/svc-sdk");
const bin: string = JSON.parse(readFileSync(join(installed, "package.json"), "utf8")).bin["svc-sdk"];
const page = readFileSync("docs/guide/local-webhooks.md", "utf8");

/** The commands of the page's first blocks, and its program. */
const [emulator, listen, trigger] = [...page.matchAll(/```sh\n(npx svc-sdk .*)\n```/g)].map(([, line = ""]) => line);
const program = /```ts\n(\/\/ npm install svc-sdk, save this as receiver\.mjs[\s\S]*?)```/.exec(page)?.[1] ?? "";

test("a reader who pastes the blocks of the page on local webhooks sees a signed event arrive, and SIGTERM ends the receiver", async (context) => {
  const folder = join(project, "first-event");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "receiver.mjs"), program);
  const [emulatorPort, receiverPort] = [String(await freePort()), String(await freePort())];
  const variables: Record<string, string> = { PORT: receiverPort };
  /** Runs a command of the page; the ports are free ones. */
  const run = (command = "", ...more: string[]) => {
    const [npx, name, ...given] = command.replace("localhost:3000", `localhost:${receiverPort}`).split(" ");
    expect([npx, name]).toEqual(["npx", "svc-sdk"]);
    return start(context, [join(installed, bin), ...given, ...more], variables);
  };
  /** Pastes an exported line into the next terminals. */
  const paste = (line: string) => {
    const [, name = "", value = ""] = /^export (\w+)=(.*)$/.exec(line) ?? [];
    variables[name] = value;
  };

  const service = run(emulator, "--port", emulatorPort);
  for (const name of ["SVC_BASE_URL", "SVC_API_KEY"]) paste(await service.line(new RegExp(`^export ${name}=`)));
  const forwarding = run(listen);
  paste(await forwarding.line(/^export SVC_WEBHOOK_SECRET=/));
  const receiver = start(context, [join(folder, "receiver.mjs")], variables);
  await forwarding.line(/event types in V3/);
  run(trigger);
  await receiver.line(/^A commit for /);
  await forwarding.line(/^wd_\S+ +delivered +svc\.trigger\.message V3/);
  // The README has the same program.
  expect(readFileSync("README.md", "utf8")).toContain(program);
  expect(await receiver.terminate()).toBe(0);
}, 60_000);
