// What the execution log says of a call whose response was lost is true: of that call, and for good.
import { type ListToolExecutionLogsBody, Svc } from "../../../src/index.js";
import type { Definition, Faults, Process, World } from "../world.js";

const SLUG = "PAY";
/** The service ignores a request that arrives later than this after it was sent. */
const ARRIVES_WITHIN_MS = 3_000;
/** An execution is in the log this long after it ran. */
const LOGGED_AFTER_MS = 7_000;
/** The promise of the program to `tools.settle`. */
const LOGGED_WITHIN_MS = ARRIVES_WITHIN_MS + LOGGED_AFTER_MS;
const POLL_MS = 3_000;
const DEADLINE_MS = 15_000;
const EPOCH = Date.UTC(2026, 0, 1);

/** How the log and the calls of a world differ from others. */
export interface SettlingOptions {
  /** Whether the log records the ids of requests. */
  readonly hasRequestIds?: boolean;
  /** Whether the project stores arguments and results. */
  readonly hasPayloads?: boolean;
  /** Whether each call has its own arguments, which it promises. Otherwise all calls are twins. */
  readonly isExclusive?: boolean;
}

/** An execution, as the service knows it. */
interface Ran {
  readonly call: string;
  readonly at: number;
  readonly requestId: string;
  readonly arguments: unknown;
}

/** A service with an execution log that is late. */
class Service {
  readonly ran: Ran[] = [];
  /** Calls of which a program was told that they never run. */
  readonly toldNotRun = new Set<string>();
  readonly #world: World;
  readonly #options: SettlingOptions;

  constructor(world: World, options: SettlingOptions) {
    this.#world = world;
    this.#options = options;
  }

  execute(call: string, sentAt: number, requestId: string, args: unknown): Response {
    const { now } = this.#world.time;
    if (now - sentAt > ARRIVES_WITHIN_MS) return this.#respond({ error: { message: "Too late", status: 400 } }, 400);
    if (this.toldNotRun.has(call)) this.#world.violate(`${call} runs. Its program was told that it never does.`);
    this.#world.note("service", `${call} runs`);
    this.ran.push({ call, at: now, requestId, arguments: args });
    return this.#respond({ data: { receipt: call }, successful: true, error: null, log_id: `log_${this.ran.length}` });
  }

  /** The executions that the log shows by now. A log that records no ids of requests ignores a filter by them. */
  list({ filters, time_range: range }: ListToolExecutionLogsBody): Response {
    const requestId = filters?.find(({ field }) => field === "request_id")?.value;
    const isShown = ({ at, requestId: own }: Ran) =>
      at + LOGGED_AFTER_MS <= this.#world.time.now &&
      (range === undefined || (EPOCH + at >= Number(range.from) && EPOCH + at <= Number(range.to))) &&
      (requestId === undefined || !this.#options.hasRequestIds || own === requestId);
    const shown = this.ran.flatMap((ran, index) => (isShown(ran) ? [{ id: `log_${index}`, parent: null }] : []));
    return this.#respond({ logs: shown, next_cursor: null });
  }

  show(id: string): Response {
    const ran = this.ran[Number(id.replace("log_", ""))];
    if (!ran) return this.#respond({ error: { message: "No such entry", status: 404 } }, 404);
    const { hasRequestIds, hasPayloads } = this.#options;
    return this.#respond({
      id,
      status: "success",
      message: null,
      parent: null,
      context: { request_id: hasRequestIds ? ran.requestId : null },
      data: hasPayloads ? { arguments: ran.arguments, result: { receipt: ran.call } } : null,
    });
  }

  #respond(body: object, status = 200): Response {
    const date = new Date(EPOCH + this.#world.time.now).toUTCString();
    return Response.json(body, { status, headers: { date } });
  }
}

/** `fetch` of a process that makes one call. */
function fetchOf(process: Process, service: Service, call: string): (request: Request) => Promise<Response> {
  return async (request) => {
    const { pathname } = new URL(request.url);
    const sentAt = process.world.time.now;
    const body = request.method === "POST" ? await request.json() : undefined;
    const requestId = request.headers.get("x-request-id") ?? "";
    const answer = () => {
      if (pathname.includes("/tools/execute/")) return service.execute(call, sentAt, requestId, body.arguments);
      return body ? service.list(body) : service.show(pathname.split("/").at(-1) ?? "");
    };
    const filters = body?.filters?.map(({ field }: { field: string }) => field) ?? [];
    const label = `${request.method} ${pathname} ${[...filters, body?.time_range?.from].join(" ")}`.trim();
    return process.request(label, "service", async () => answer());
  };
}

/** Each process makes one call, and asks the log if its outcome is unknown. */
export function settling(name: string, processes: number, faults: Faults, options: SettlingOptions): Definition {
  return {
    name,
    faults,
    start(world) {
      const service = new Service(world, options);
      for (let number = 1; number <= processes; number += 1) {
        const call = `call ${number}`;
        world.spawn(`P${number}`, async (process) => {
          const svc = new Svc({
            baseUrl: "https://service.test",
            apiKey: "key",
            env: {},
            maxRetries: 0,
            fetch: fetchOf(process, service, call),
          });
          const args = { to: options.isExclusive ? call : "anyone" };
          const body = { user_id: "user-1", version: "20251023_00", arguments: args };
          const ran = () => service.ran.filter((each) => each.call === call).length > 0;
          try {
            const { data } = await svc.tools.execute(SLUG, body);
            if (data["receipt"] !== call) world.violate(`${call} has the result of another.`);
          } catch (error) {
            const settled = await svc.tools.settle(error, {
              exclusive: options.isExclusive,
              loggedWithinMs: LOGGED_WITHIN_MS,
              pollMs: POLL_MS,
              deadlineMs: DEADLINE_MS,
            });
            process.saw(settled.outcome);
            if (settled.outcome === "not_run") {
              if (ran()) world.violate(`${call} ran. Its program was told that it didn't.`);
              service.toldNotRun.add(call);
            } else if (settled.outcome === "unknown") {
              // The log shows the call by then, with its id.
              const isTold = options.hasRequestIds && settled.reason !== "log_unavailable";
              if (isTold && ran()) world.violate(`${call} is in the log, and stays unknown.`);
            } else {
              const receipt = Object(settled.data).receipt;
              if (!ran()) world.violate(`${call} never ran. Its program was told that it ${settled.outcome}.`);
              if (settled.outcome === "failed")
                world.violate(`${call} succeeded. Its program was told that it failed.`);
              if (options.hasPayloads && receipt !== call) world.violate(`${call} has the result of another.`);
            }
          }
        });
      }
    },
  };
}
