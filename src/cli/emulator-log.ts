import type { Activity, RequestRecord, RunningEmulator } from "../emulator/node.js";
import { print } from "./print.js";

/** A format of what the emulator prints. */
export interface Log {
  /** Prints the URL and the keys. */
  readonly started: (running: RunningEmulator) => void;
  /** Prints something that happened. */
  readonly activity: (activity: Activity) => void;
}

/** The formats by name. */
export const LOGS: Readonly<Record<string, Log>> = {
  lines: { started: printBanner, activity: (activity) => print(...lineOf(activity)) },
  json: {
    started: ({ url, connection }) => print(JSON.stringify({ type: "started", url, env: variablesOf(connection) })),
    activity: (activity) => print(JSON.stringify(activity)),
  },
  none: { started: printBanner, activity: () => undefined },
};

function printBanner({ url, connection }: RunningEmulator): void {
  const lines = Object.entries(variablesOf(connection)).map(([name, value]) => `export ${name}=${value}`);
  print(`Inspector: open ${url}`, `The emulator is listening on ${url}. Connect with:`, "", ...lines, "");
}

function variablesOf({ baseUrl, apiKey, userApiKey, orgApiKey }: RunningEmulator["connection"]) {
  return {
    SVC_BASE_URL: baseUrl,
    ...(apiKey !== undefined && { SVC_API_KEY: apiKey }),
    ...(userApiKey !== undefined && { SVC_USER_API_KEY: userApiKey }),
    ...(orgApiKey !== undefined && { SVC_ORG_API_KEY: orgApiKey }),
  };
}

/** At most one line, with the time of day. Changes of records aren't shown, because the request that made them is. */
function lineOf(activity: Activity): string[] {
  const time = new Date(activity.at).toTimeString().slice(0, 8);
  return textOf(activity).map((text) => `${time} ${text}`);
}

function textOf(activity: Activity): string[] {
  switch (activity.type) {
    case "request":
      return [requestLine(activity.request)];
    case "run":
      return runLine(activity);
    case "delivery":
      return deliveryLine(activity);
    case "control": {
      const { method, path, status, error } = activity;
      return [`${status} ${method} ${path}  control${error === null ? "" : `  ${error}`}`];
    }
    default:
      return [];
  }
}

function requestLine(request: RequestRecord): string {
  const { method, path, operation, status, fault, durationMs } = request;
  const reason = fault === undefined ? failureIn(request) : `fault: ${fault}`;
  const parts = [`${status ?? "broken"} ${method} ${path}`, operation, `${Math.ceil(durationMs)} ms`, reason];
  return parts.filter((part) => part !== undefined).join("  ");
}

/** A call that ended without its request, which has a line itself. */
function runLine({ call, step }: Activity & { readonly type: "run" }): string[] {
  const { status, name, userId, steps } = call;
  if (step?.type !== "finished" || !/^(not_run|pending|dry_run)$/.test(status)) return [];
  const { rule, reason } = steps.findLast(({ type }) => type === "decided") ?? {};
  const parts = [`${status} ${name}`, userId === null ? undefined : `call of ${userId}'s agent`, rule, reason];
  return [parts.filter((part) => part !== undefined).join("  ")];
}

/** Why a request failed: the error of its response, or of the execution in it. */
function failureIn({ response }: RequestRecord): string | undefined {
  const { error, successful } = fieldsOf(response?.body ?? "");
  if (successful === false && typeof error === "string") return `failed: ${error}`;
  const message: unknown = Reflect.get(Object(error), "message");
  return typeof message === "string" ? message : undefined;
}

function fieldsOf(json: string): { readonly error?: unknown; readonly successful?: unknown } {
  try {
    return Object(JSON.parse(json));
  } catch {
    // It isn't JSON, or it was cut off.
    return {};
  }
}

function deliveryLine({ delivery, attempt }: Activity & { readonly type: "delivery" }): string[] {
  if (!attempt) return [];
  const { type, state, dueAt } = delivery;
  const place = attempt.request === null ? delivery.subscriptionId : attempt.request.url;
  const next = state === "pending" && dueAt !== null ? `next attempt at ${new Date(dueAt).toISOString()}` : undefined;
  const outcome = state === "failed" ? "gave up" : next;
  const parts = [`${attempt.status ?? "broken"} POST ${place}`, `webhook ${type}, attempt ${attempt.number}`];
  return [[...parts, attempt.error ?? undefined, outcome].filter((part) => part !== undefined).join("  ")];
}
