import { setTimeout } from "node:timers/promises";
import * as z from "zod/mini";
import { DeliveryRecord } from "../emulator/engine/event-schema.js";
import { CONTROL_PREFIX } from "../shared/control-plane.js";
import { field, parseJson, textOf } from "../shared/json.js";
import { isHttpUrl } from "./read-value.js";
import type { Terminal } from "./terminal.js";

/**
 * The URL of the emulator in SVC_BASE_URL.
 *
 * @throws if it isn't set, or isn't a URL that starts with http.
 */
export function emulatorUrl({ env }: Terminal): string {
  const url = env["SVC_BASE_URL"];
  if (url !== undefined && isHttpUrl(url)) return url;
  const problem = url === undefined || url === "" ? "isn't set" : "must be a URL that starts with http";
  throw new Error(`SVC_BASE_URL ${problem}. Set it to the URL that svc-sdk emulator prints.`);
}

const Deliveries = z.object({ items: z.array(DeliveryRecord) });

/** The calls of the control plane that commands use, with the shapes of their responses. */
const CALLS = {
  health: ["GET", () => "/health", z.object({ status: z.literal("ok") })],
  settled: ["POST", () => "/settled", z.object({})],
  deliveries: ["GET", () => "/deliveries", Deliveries],
  resend: ["POST", (id: string) => `/deliveries/${encodeURIComponent(id)}/resend`, Deliveries],
  fire: ["POST", (id: string) => `/triggers/${encodeURIComponent(id)}/fire`, z.object({ id: z.string() })],
} as const;

type Calls = typeof CALLS;

/**
 * Calls the control plane of an emulator, and returns its response.
 *
 * @throws if there is no emulator, or it rejects the call.
 */
export async function askEmulator<Name extends keyof Calls>(
  url: string,
  name: Name,
  { id = "", body, signal }: { readonly id?: string; readonly body?: unknown; readonly signal?: AbortSignal } = {},
): Promise<z.infer<Calls[Name][2]>> {
  const [method, pathOf, shape] = CALLS[name];
  const path = pathOf(id);
  const target = new URL(CONTROL_PREFIX + path, url);
  const init = { method, ...(body !== undefined && { body: JSON.stringify(body) }), ...(signal && { signal }) };
  const response = await reach(url, target, init);
  const content: unknown = await response.json().catch(() => undefined);
  const call = `${method} ${target.pathname}`;
  if (!response.ok) throw new Error(textOf(content, "message") || notAnEmulator(url, `${call} is ${response.status}`));
  const { data } = z.safeParse(shape, content);
  if (data === undefined) throw new Error(notAnEmulator(url, `${call} has another response`));
  // The shape is that of the call's name.
  return data as z.infer<Calls[Name][2]>;
}

function notAnEmulator(url: string, observed: string): string {
  return (
    `${url} isn't an emulator: ${observed}. A service sends events only to a URL that it can reach: ` +
    "run a tunnel, and subscribe with its URL. See docs/guide/local-webhooks.md."
  );
}

/** How long to wait before connecting again if nothing was received, in milliseconds. */
const RECONNECT_MS = 500;

/**
 * An activity of an emulator. `attempt`: the end of a delivery's attempt. `gap`: the emulator no longer has some
 * activities, or was started again. `other`: everything else.
 */
export type Followed =
  | { readonly type: "attempt"; readonly delivery: DeliveryRecord }
  | { readonly type: "gap"; readonly reason: string }
  | { readonly type: "other" };

const Attempt = z.object({ delivery: DeliveryRecord });

function followed(event: string | undefined, content: unknown): Followed {
  if (event === "gap") return { type: "gap", reason: textOf(content, "reason") };
  const attempt = field(content, "attempt");
  if (field(content, "type") !== "delivery" || attempt === undefined || attempt === null) return { type: "other" };
  const { data } = z.safeParse(Attempt, content);
  if (data) return { type: "attempt", delivery: data.delivery };
  return { type: "gap", reason: "a delivery of another version of the emulator can't be read" };
}

/**
 * Yields what happens in an emulator from now on, until the signal. A connection that breaks is made again, and
 * continues after the last activity received.
 *
 * @throws if there is no emulator at first.
 */
export async function* follow(url: string, signal: AbortSignal): AsyncGenerator<Followed> {
  let lastId: string | undefined;
  let response = await connected(url, lastId, signal).catch((error: Error) => {
    if (signal.aborted) return undefined;
    throw error;
  });
  while (!signal.aborted) {
    let isEmpty = true;
    try {
      response ??= await connected(url, lastId, signal);
      for await (const { id, event, data } of messages(response)) {
        lastId = id ?? lastId;
        isEmpty = false;
        yield followed(event, parseJson(data));
      }
    } catch {
      // The connection broke, or the emulator is being started again.
    }
    response = undefined;
    if (isEmpty) await setTimeout(RECONNECT_MS, undefined, { signal }).catch(() => undefined);
  }
}

async function connected(url: string, lastId: string | undefined, signal: AbortSignal): Promise<Response> {
  const target = new URL(`${CONTROL_PREFIX}/events?from=now`, url);
  const headers = { accept: "text/event-stream", ...(lastId !== undefined && { "last-event-id": lastId }) };
  const response = await reach(url, target, { headers, signal });
  if (response.headers.get("content-type")?.startsWith("text/event-stream")) return response;
  await response.body?.cancel();
  throw new Error(notAnEmulator(url, `GET ${target.pathname} is ${response.status}`));
}

/** The messages of a stream of server-sent events, as far as they arrive completely. */
async function* messages({ body }: Response) {
  let rest = "";
  const decoder = new TextDecoder();
  for await (const chunk of body ?? []) {
    const parts = (rest + decoder.decode(chunk, { stream: true })).split("\n\n");
    rest = parts.pop() ?? "";
    for (const part of parts) {
      const fields = part.split("\n").map((line) => /^(\w+): ?(.*)$/.exec(line)?.slice(1) ?? ["", ""]);
      const find = (name: string) => fields.find(([field]) => field === name)?.[1];
      const data = find("data");
      if (data !== undefined) yield { id: find("id"), event: find("event"), data };
    }
  }
}

/** @throws if nothing responds there. */
async function reach(url: string, target: URL, init: RequestInit): Promise<Response> {
  return await fetch(target, init).catch((error: Error) => {
    // The code of the socket's error: fetch itself says only that it failed.
    const reason = field(error.cause, "code") ?? error.message;
    const advice = "Start it with svc-sdk emulator, or correct its URL.";
    throw new Error(`No emulator responds at ${url}: ${reason}. ${advice}`, { cause: error });
  });
}
