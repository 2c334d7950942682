import { demoSeed, type EmulatorSeed, type RequestRecord, startEmulator } from "../emulator/node.js";
import { readJson } from "./files.js";
import { parseOptions, UsageError } from "./parse-options.js";
import { print } from "./print.js";

const HELP = `svc-sdk emulator: a local service for development and tests

Usage
  svc-sdk emulator [options]

Options
  --port <number>         port to listen on; 0 picks a free port    (default 4747)
  --host <address>        IP address or name to listen on           (default 127.0.0.1)
  --allowed-host <name>   another host name that requests may use; can be repeated
  --seed <file>           JSON file with keys, authConfigs and connectedAccounts, instead of the demo's
  --rate-limit <number>   requests per window                       (default 2000)
  --window <seconds>      length of the window                      (default 60)
  --log <lines|json|none> format of the request log                 (default lines)
  -h, --help              show this help

Requests under other host names, or from a web page of another site, get 403.
It prints its URL and keys as environment variables, then one line per request. Press Ctrl-C to stop it.
Tests control it over http://127.0.0.1:<port>/_emulator: health, reset, snapshot, clock, faults, requests, events,
triggers, accounts, deliveries, settled, catalog.

Exit codes
  0  stopped
  1  error; see the message
  2  invalid command line
`;

/** Runs the emulator until a signal stops it. */
export async function emulatorCommand(commandLine: string[]): Promise<void> {
  const values = parseOptions("emulator", OPTIONS, commandLine);
  if (values.help) {
    print(...HELP.trimEnd().split("\n"));
    return;
  }
  const log = Object.hasOwn(LOGS, values.log) ? LOGS[values.log] : undefined;
  if (!log) throw new UsageError(`--log must be lines, json or none, not ${values.log}.`);
  const stopped = stopSignal();
  const running = await startEmulator({
    port: wholeNumber("--port", values.port, 0, 65_535),
    host: values.host,
    allowedHosts: values["allowed-host"],
    seed: values.seed === undefined ? demoSeed : await readSeed(values.seed),
    rateLimit: {
      limit: wholeNumber("--rate-limit", values["rate-limit"], 1, 1_000_000_000),
      windowSeconds: wholeNumber("--window", values.window, 1, 86_400),
    },
    onRequest: log,
  });
  const { baseUrl, apiKey, userApiKey, orgApiKey } = running.connection;
  const variables = {
    SVC_BASE_URL: baseUrl,
    SVC_API_KEY: apiKey,
    SVC_USER_API_KEY: userApiKey,
    SVC_ORG_API_KEY: orgApiKey,
  };
  const lines = Object.entries(variables).flatMap(([name, value]) =>
    value === undefined ? [] : [`export ${name}=${value}`],
  );
  print(`The emulator is listening on ${running.url}. Connect with:`, "", ...lines, "");
  await stopped;
  await running.close();
}

/** Options of `svc-sdk emulator`. */
export const OPTIONS = {
  port: { type: "string", default: "4747" },
  host: { type: "string", default: "127.0.0.1" },
  "allowed-host": { type: "string", multiple: true },
  seed: { type: "string" },
  "rate-limit": { type: "string", default: "2000" },
  window: { type: "string", default: "60" },
  log: { type: "string", default: "lines" },
  help: { type: "boolean", short: "h", default: false },
} as const;

function wholeNumber(option: string, text: string, least: number, most: number): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= least && value <= most) return value;
  throw new UsageError(`${option} must be an integer from ${least} to ${most}, not ${text}.`);
}

async function readSeed(file: string): Promise<EmulatorSeed> {
  // startEmulator checks the seed.
  return (await readJson(file, "seed")) as EmulatorSeed;
}

const LOGS: Readonly<Record<string, (record: RequestRecord) => void>> = {
  lines: ({ method, path, operation, status, fault }) => {
    const outcome = status ?? "broken";
    print(`${outcome} ${method} ${path}${operation ? `  ${operation}` : ""}${fault ? `  fault: ${fault}` : ""}`);
  },
  json: (record) => print(JSON.stringify(record)),
  none: () => undefined,
};

function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    process.once("SIGINT", () => resolve());
    process.once("SIGTERM", () => resolve());
  });
}
