import { once } from "node:events";
import { fromCatalog, toToolkits } from "../emulator/from-catalog.js";
import { demoSeed, type EmulatorOptions, type EmulatorSeed, startEmulator } from "../emulator/node.js";
import { LOGS, type Log } from "./emulator-log.js";
import { stateCommand } from "./emulator-state.js";
import { readJson } from "./files.js";
import { readModule } from "./module-file.js";
import { parseOptions, UsageError } from "./parse-options.js";
import { print } from "./print.js";
import { stopSignal } from "./stop-signal.js";

const HELP = `svc-sdk emulator: a local service for development and tests

Usage
  svc-sdk emulator [options]
  svc-sdk emulator export (--data <folder> | --url <url>) > <file>
  svc-sdk emulator import <file> (--data <folder> | --url <url>)

Options
  --port <number>         port to listen on; 0 picks a free port    (default 4747)
  --host <address>        IP address or name to listen on           (default 127.0.0.1)
  --allowed-host <name>   another host name that requests may use; can be repeated
  --data <folder>         keep the state in this folder, even after a crash
  --seed <file>           JSON file with keys, authConfigs and connectedAccounts, instead of the demo's
  --catalog <file>        run every tool of this file, which svc-sdk lock --snapshot wrote; results are made up
  --toolkits <file>       your own toolkits: a JSON file, or a module with a default export
  --rate-limit <number>   requests per window                       (default 2000)
  --window <seconds>      length of the window                      (default 60)
  --log <lines|json|none> format of everything it prints            (default lines)
  -h, --help              show this help

It prints its URL and keys as environment variables, then one line per request, webhook delivery and control call, with the
reason of each failure. Press Ctrl-C to stop it.

Anyone who can reach the port can call the service with the keys of the seed, and the demo's keys are public. With
--host 0.0.0.0, that is everyone in your network. Requests under other host names, or from a web page of another site, get 403.
Tests control it over http://127.0.0.1:<port>/_emulator, from the same machine only; GET /_emulator/openapi.json describes
every endpoint.

export prints the state of a folder or a running emulator as JSON; import replaces it. A folder must not be in use.
It contains credentials in plain text.

Exit codes
  0  stopped, or done
  1  error; see the message
  2  invalid command line
`;

/** Runs the emulator until a signal stops it, or exports or imports a state. */
export async function emulatorCommand(commandLine: string[]): Promise<void> {
  const [action, ...rest] = commandLine;
  if (action === "export" || action === "import") return stateCommand(action, rest);
  const values = parseOptions("emulator", OPTIONS, commandLine);
  if (values.help) {
    print(...HELP.trimEnd().split("\n"));
    return;
  }
  const log = logNamed(values.log);
  const port = integer("--port", values.port, 0, 65_535);
  const rateLimit = {
    limit: integer("--rate-limit", values["rate-limit"], 1, 1_000_000_000),
    windowSeconds: integer("--window", values.window, 1, 86_400),
  };
  const stopped = stopSignal();
  const running = await startEmulator({
    ...(await contentOf(values)),
    port,
    rateLimit,
    host: values.host,
    allowedHosts: values["allowed-host"],
    data: values.data,
  });
  running.subscribe(log.activity);
  log.started(running);
  if (!stopped.aborted) await once(stopped, "abort");
  await running.close();
}

/** Options of `svc-sdk emulator`. */
export const OPTIONS = {
  port: { type: "string", default: "4747" },
  host: { type: "string", default: "127.0.0.1" },
  "allowed-host": { type: "string", multiple: true },
  data: { type: "string" },
  seed: { type: "string" },
  catalog: { type: "string" },
  toolkits: { type: "string" },
  "rate-limit": { type: "string", default: "2000" },
  window: { type: "string", default: "60" },
  log: { type: "string", default: "lines" },
  help: { type: "boolean", short: "h", default: false },
} as const;

function logNamed(name: string): Log {
  const log = Object.hasOwn(LOGS, name) ? LOGS[name] : undefined;
  if (log) return log;
  throw new UsageError(`--log must be lines, json or none, not ${name}.`);
}

function integer(option: string, text: string, least: number, most: number): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= least && value <= most) return value;
  throw new UsageError(`${option} must be an integer from ${least} to ${most}, not ${text}.`);
}

interface Files {
  readonly seed?: string | undefined;
  readonly catalog?: string | undefined;
  readonly toolkits?: string | undefined;
}

/** The toolkits and the seed that the files describe. */
async function contentOf({ seed, catalog, toolkits }: Files): Promise<Pick<EmulatorOptions, "toolkits" | "seed">> {
  const own = toolkits === undefined ? [] : toToolkits(await readModule(toolkits, "toolkits"), toolkits);
  const content =
    catalog === undefined
      ? { toolkits: own, seed: demoSeed }
      : fromCatalog(await readJson(catalog, "catalog"), { toolkits: own, source: catalog });
  // startEmulator checks the seed.
  return seed === undefined ? content : { ...content, seed: (await readJson(seed, "seed")) as EmulatorSeed };
}
