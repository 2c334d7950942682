import { once } from "node:events";
import { resolve } from "node:path";
import { fromCatalog, toToolkits } from "../emulator/index.js";
import {
  type Activity,
  demoSeed,
  type EmulatorOptions,
  type EmulatorSeed,
  type RequestRecord,
  type RunningEmulator,
  startEmulator,
} from "../emulator/node.js";
import { CONTROL_PREFIX, EMULATOR_HOST, EMULATOR_PORT } from "../shared/control-plane.js";
import { CREDENTIAL_KINDS, CREDENTIALS, type CredentialKind } from "../shared/credentials.js";
import { field, parseJson } from "../shared/json.js";
import type { ModelServer } from "../testing/index.js";
import { declareCommand, flag, text, UsageError } from "./command.js";
import { readJson, readModule } from "./files.js";
import { type Cell, print, withOutcome } from "./print.js";
import type { Terminal } from "./terminal.js";

export const command = declareCommand({
  usage: [["[options]", ""]],
  options: {
    port: { ...text("number", "port to listen on; 0 picks a free port"), default: String(EMULATOR_PORT) },
    host: { ...text("address", "IP address or name to listen on"), default: EMULATOR_HOST },
    "allowed-host": { ...text("name", "additional host name that requests may use; can be repeated"), multiple: true },
    data: text("folder", "keep the state in this folder, even after a crash"),
    seed: text("file", "JSON file with keys, authConfigs and connectedAccounts, instead of the demo's"),
    catalog: text("file", "run every tool of a file that svc-sdk lock --catalog-out wrote, with sample results"),
    toolkits: text("file", "your own toolkits: a JSON file, or a module with a default export"),
    "rate-limit": { ...text("number", "requests per window"), default: "2000" },
    window: { ...text("seconds", "length of the window"), default: "60" },
    "unknown-fields": {
      ...text("reject|ignore", "requests with fields that the emulator doesn't know"),
      default: "reject",
    },
    log: { ...text("lines|json|none", "format of everything it prints"), default: "lines" },
    model: flag("serve a model that needs no key, on the next port: it calls tools with sample arguments"),
    "exit-with-parent": flag("end when the process that started it has ended, even if it was killed"),
  },
  notes: `It prints its URL and keys as environment variables, then one line per request, webhook delivery and control call, with the
reason of each failure. Press Ctrl-C to stop it.

With --model, the variables include the URLs and keys that the clients of OpenAI, Anthropic and Gemini read. The model calls the
offered tools that fit the words of the prompt, then responds with their outputs. Nothing is sent to a provider.

Anyone who can reach the port can call the service with the keys of the seed, and the demo's keys are public. With
--host 0.0.0.0, that is everyone in your network. Requests with unknown host names, or from web pages of other sites, get 403.
Tests on the same machine control it over http://${EMULATOR_HOST}:<port>${CONTROL_PREFIX}. GET ${CONTROL_PREFIX}/openapi.json describes every
endpoint. A data folder contains credentials in plain text.`,
  exitCodes: { 0: "stopped" },
  run: async (values, _words, terminal) => {
    const log = LOGS[choice("--log", values.log, LOG_NAMES)](terminal);
    const unknownFields = choice("--unknown-fields", values["unknown-fields"], ["reject", "ignore"]);
    const port = integer("--port", values.port, 0, 65_535);
    const rateLimit = {
      limit: integer("--rate-limit", values["rate-limit"], 1, 1_000_000_000),
      windowSeconds: integer("--window", values.window, 1, 86_400),
    };
    if (values.host === "") throw new UsageError("--host must be an IP address or host name, not empty.");
    const stopped = terminal.stopSignal({ withParent: values["exit-with-parent"] });
    const running = await startEmulator({
      ...(await contentOf(terminal, values)),
      port,
      rateLimit,
      unknownFields,
      host: values.host,
      allowedHosts: values["allowed-host"],
      data: values.data && resolve(terminal.cwd, values.data),
    });
    try {
      const model = values.model ? await modelBeside(port, values.host) : undefined;
      running.subscribe(log.activity);
      log.started(running.url, { ...variablesOf(running.connection), ...model?.env });
      if (!stopped.aborted) await once(stopped, "abort");
      await model?.close();
    } finally {
      await running.close();
    }
  },
});

/** A model that needs no key, on the port after the emulator's, so that its URL stays the same. */
async function modelBeside(port: number, host: string): Promise<ModelServer> {
  const { sampleModel } = await import("../testing/model/sample-model.js");
  const isNextFree = port > 0 && port < 65_535;
  return sampleModel().serve({ port: isNextFree ? port + 1 : 0, host });
}

function choice<const Name extends string>(option: string, text: string, names: readonly Name[]): Name {
  const chosen = names.find((name) => name === text);
  if (chosen !== undefined) return chosen;
  throw new UsageError(`${option} must be ${names.join(", ").replace(/, (?!.*, )/, " or ")}, not ${text}.`);
}

function integer(option: string, text: string, least: number, most: number): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= least && value <= most) return value;
  throw new UsageError(`${option} must be an integer from ${least} to ${most}, not ${text}.`);
}

type EmulatorFiles = Partial<Record<"seed" | "catalog" | "toolkits", string>>;

/** The toolkits and the seed that the files describe. */
async function contentOf(
  terminal: Terminal,
  { seed, catalog, toolkits }: EmulatorFiles,
): Promise<Pick<EmulatorOptions, "toolkits" | "seed">> {
  const own = toolkits === undefined ? [] : toToolkits(await readModule(terminal, toolkits, "toolkits"), toolkits);
  const content =
    catalog === undefined
      ? { toolkits: own, seed: demoSeed }
      : fromCatalog(await readJson(terminal, catalog, "catalog"), { toolkits: own, source: catalog });
  // startEmulator checks the seed.
  return seed === undefined ? content : { ...content, seed: (await readJson(terminal, seed, "seed")) as EmulatorSeed };
}

interface Log {
  /** Prints the URL and the variables. */
  readonly started: (url: string, variables: Readonly<Record<string, string>>) => void;
  readonly activity: (activity: Activity) => void;
}

const LOG_NAMES = ["lines", "json", "none"] as const;

const LOGS: Readonly<Record<(typeof LOG_NAMES)[number], (terminal: Terminal) => Log>> = {
  lines: (terminal) => ({
    started: (url, variables) => printBanner(terminal, url, variables),
    activity: (activity) => print(terminal, lineOf(activity)),
  }),
  json: (terminal) => ({
    started: (url, env) => print(terminal, JSON.stringify({ type: "started", url, env })),
    activity: (activity) => print(terminal, JSON.stringify(activity)),
  }),
  none: (terminal) => ({
    started: (url, variables) => printBanner(terminal, url, variables),
    activity: () => undefined,
  }),
};

function printBanner(terminal: Terminal, url: string, variables: Readonly<Record<string, string>>): void {
  const lines = Object.entries(variables).map(([name, value]) => `export ${name}=${value}`);
  print(terminal, [`Inspector: open ${url}`, `The emulator is listening on ${url}. Connect with:`, "", ...lines, ""]);
}

function variablesOf({ baseUrl, ...rest }: RunningEmulator["connection"]): Readonly<Record<string, string>> {
  const keys: Readonly<Partial<Record<CredentialKind, string | undefined>>> = rest;
  const set = CREDENTIAL_KINDS.flatMap((kind) => {
    const { variable } = CREDENTIALS[kind];
    const key = keys[kind];
    return variable === undefined || key === undefined ? [] : [[variable, key] as const];
  });
  return { SVC_BASE_URL: baseUrl, ...Object.fromEntries(set) };
}

/** At most one line, with the time of day. Changes of records aren't shown, because the request that made them is. */
function lineOf(activity: Activity): Cell[][] {
  const time = new Date(activity.at).toTimeString().slice(0, 8);
  const parts = partsOf(activity).filter((part) => part !== undefined && part !== null);
  return parts.length === 0 ? [] : [[{ text: `${time} `, color: "quiet" }, ...withOutcome(parts.join("  "))]];
}

/** The parts of a line. Those without a value are omitted. */
type Parts = readonly (string | null | undefined)[];

function partsOf(activity: Activity): Parts {
  switch (activity.type) {
    case "request":
      return requestParts(activity.request);
    case "run":
      return runParts(activity);
    case "delivery":
      return deliveryParts(activity);
    case "control": {
      const { method, path, status, error } = activity;
      return [`${status} ${method} ${path}`, "control", error];
    }
    default:
      return [];
  }
}

function requestParts(request: RequestRecord): Parts {
  const { method, path, operation, status, fault, durationMs } = request;
  const reason = fault === undefined ? failureIn(request) : `fault: ${fault}`;
  return [`${status ?? "broken"} ${method} ${path}`, operation, `${Math.ceil(durationMs)} ms`, reason];
}

/** A call that ended without its request, which has a line itself. */
function runParts({ call, step }: Activity & { readonly type: "run" }): Parts {
  const { status, name, userId, steps } = call;
  if (step?.type !== "finished" || !/^(not_run|pending|dry_run)$/.test(status)) return [];
  const { rule, reason } = steps.findLast(({ type }) => type === "decided") ?? {};
  return [`${status} ${name}`, userId === null ? undefined : `call of ${userId}'s agent`, rule, reason];
}

/** Why a request failed: the error of its response, or of the execution in it. */
function failureIn({ response }: RequestRecord): string | undefined {
  // It may be no JSON, or cut off.
  const body = parseJson(response?.body ?? "");
  const error = field(body, "error");
  if (field(body, "successful") === false && typeof error === "string") return `failed: ${error}`;
  const message = field(error, "message");
  return typeof message === "string" ? message : undefined;
}

function deliveryParts({ delivery, attempt }: Activity & { readonly type: "delivery" }): Parts {
  if (!attempt) return [];
  const { type, state, dueAt } = delivery;
  const place = attempt.request === null ? delivery.subscriptionId : attempt.request.url;
  const next = state === "pending" && dueAt !== null ? `next attempt at ${new Date(dueAt).toISOString()}` : undefined;
  const outcome = state === "failed" ? "gave up" : next;
  const what = `webhook ${type}, attempt ${attempt.number}`;
  return [`${attempt.status ?? "broken"} POST ${place}`, what, attempt.error, outcome];
}
