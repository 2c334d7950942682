import { once } from "node:events";
import { fromCatalog, toToolkits } from "../emulator/from-catalog.js";
import { demoSeed, type EmulatorOptions, type EmulatorSeed, startEmulator } from "../emulator/node.js";
import { declareCommand, UsageError } from "./command.js";
import { stopSignal } from "./emulator-control.js";
import { LOGS, type Log } from "./emulator-log.js";
import { readJson, readModule } from "./files.js";

/** Runs the emulator until a signal stops it. */
export const command = declareCommand({
  usage: [["[options]", ""]],
  options: {
    port: { type: "string", value: "number", default: "4747", summary: "port to listen on; 0 picks a free port" },
    host: { type: "string", value: "address", default: "127.0.0.1", summary: "IP address or name to listen on" },
    "allowed-host": {
      type: "string",
      value: "name",
      multiple: true,
      summary: "another host name that requests may use; can be repeated",
    },
    data: { type: "string", value: "folder", summary: "keep the state in this folder, even after a crash" },
    seed: {
      type: "string",
      value: "file",
      summary: "JSON file with keys, authConfigs and connectedAccounts, instead of the demo's",
    },
    catalog: {
      type: "string",
      value: "file",
      summary: "run every tool of this file, which svc-sdk lock --snapshot wrote; results are made up",
    },
    toolkits: {
      type: "string",
      value: "file",
      summary: "your own toolkits: a JSON file, or a module with a default export",
    },
    "rate-limit": { type: "string", value: "number", default: "2000", summary: "requests per window" },
    window: { type: "string", value: "seconds", default: "60", summary: "length of the window" },
    log: {
      type: "string",
      value: "lines|json|none",
      default: "lines",
      summary: "format of everything it prints",
    },
  },
  notes: `It prints its URL and keys as environment variables, then one line per request, webhook delivery and control call, with the
reason of each failure. Press Ctrl-C to stop it.

Anyone who can reach the port can call the service with the keys of the seed, and the demo's keys are public. With
--host 0.0.0.0, that is everyone in your network. Requests under other host names, or from a web page of another site, get 403.
Tests control it over http://127.0.0.1:<port>/_emulator, from the same machine only; GET /_emulator/openapi.json describes
every endpoint. A data folder contains credentials in plain text.`,
  exitCodes: { 0: "stopped" },
  run: async (values) => {
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
  },
});

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
