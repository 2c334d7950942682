// A service that does what a world says, and a program whose model calls its tools.
import {
  type CallResult,
  memoryExecutions,
  type RunOptions,
  type ToolCall,
  type ToolRecord,
  type Toolset,
  toolset,
} from "../../../src/agents/index.js";
import { Svc } from "../../../src/index.js";
import type { World } from "../world.js";
import { toolOf } from "./decisions.js";

export const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** The response of a tool that ran. */
export const done = (data: object = {}, headers: Record<string, string> = {}) =>
  Response.json({ data, successful: true, error: null, log_id: "log_1" }, { headers });
/** The response of a service that rejects a request, or fails. */
export const failure = (status: number, headers: Record<string, string> = {}, more: object = {}) =>
  Response.json({ error: { message: "It failed.", status, ...more } }, { status, headers });
/** The 429 of the service's own limiter, which has run nothing. */
export const tooMany = (headers: Record<string, string>) =>
  Response.json({ message: "Too many requests" }, { status: 429, headers });
/** The error of `fetch` if a connection breaks. */
export const broken = (code = "ECONNRESET") => Object.assign(new TypeError("fetch failed"), { code });

/** A log of calls in memory, and the lines that were written to it. */
export function auditLog() {
  const lines: string[] = [];
  const to = {
    last: async () => lines.at(-1),
    append: async (more: readonly string[]) => {
      lines.push(...more);
      return true;
    },
  };
  return { lines, to };
}

/** The parts of a world that a service uses. */
type Surroundings = Pick<World, "note"> & { readonly time: Pick<World["time"], "now"> };

/** A service of one client. */
export class Service {
  /** The requests that arrived: the tool or the path, the argument `to`, the account, and the time in milliseconds. */
  readonly sent: string[] = [];
  /** Each takes the place of a response. */
  readonly answers: ((request: Request) => Response | Promise<Response>)[] = [];
  /** How long a response takes. */
  slowMs = 0;
  /** The accounts of the user, the newest first. */
  accounts: readonly { readonly id: string; readonly status: string }[] = [];
  readonly svc: Svc;
  readonly #world: Surroundings;

  constructor(world: Surroundings, options: ConstructorParameters<typeof Svc>[0] = {}) {
    this.#world = world;
    this.svc = new Svc({
      ...{ baseUrl: "https://service.test", apiKey: "key", env: {}, maxRetries: 0 },
      fetch: (request) => this.#fetch(request),
      ...options,
    });
  }

  async #fetch(request: Request): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url);
    const aborted = new Promise<never>((_, reject) => {
      request.signal.addEventListener("abort", () => reject(request.signal.reason), { once: true });
    });
    aborted.catch(() => undefined);
    if (pathname.includes("/connected_accounts")) return this.#list(searchParams);
    const { arguments: args, connected_account_id: account } = request.method === "POST" ? await request.json() : {};
    const what = [pathname.split("/").at(-1), args?.to, account, `@${this.#world.time.now}`];
    this.sent.push(what.filter((part) => part !== undefined).join(" "));
    this.#world.note("service", `${what.join(" ")} arrives`);
    const answer = this.answers.shift();
    if (this.slowMs > 0) await Promise.race([wait(this.slowMs), aborted]);
    return answer ? Promise.race([answer(request), aborted]) : done();
  }

  #list(query: URLSearchParams): Response {
    const statuses = query.get("statuses");
    const items = this.accounts
      .filter(({ status }) => statuses === null || statuses === status)
      .map((account) => ({ ...account, user_id: "user-1", toolkit: { slug: "bank" }, is_disabled: false }));
    return Response.json({ items: items.slice(0, Number(query.get("limit") ?? 100)), next_cursor: null });
  }

  /** The requests since the last look, without their times. */
  ran(): string[] {
    return this.sent.splice(0).map((line) => line.replace(/ @.*/, ""));
  }
}

/** How a call ended, and whether an earlier run had ended it. */
export const ended = ({ status, isReplay }: CallResult) => (isReplay ? `${status} again` : status);

export const call = (callId: string, args: object = { to: callId }, name = "PAY", more: Partial<ToolCall> = {}) => {
  return { callId, name, arguments: args, ...more };
};

type Options = Partial<Parameters<typeof toolset>[1]>;

/** A program whose model calls tools of a service. */
export async function program(
  service: Service,
  options: Options = {},
  tools: readonly ToolRecord[] = [toolOf("PAY"), toolOf("TIP"), toolOf("LOOK")],
) {
  const from = { formatVersion: 1, tools } as const;
  const made: Toolset = await toolset(service.svc, {
    ...{ userId: "user-1", executions: memoryExecutions() },
    ...(options.tools ? {} : { from }),
    ...options,
  });
  const run = async (callId: string, args: object = { to: callId }, name = "PAY", limits: RunOptions = {}) => {
    const [result] = await made.run([call(callId, args, name)], limits);
    return result as CallResult;
  };
  const turn = async (calls: readonly ToolCall[], limits: RunOptions = {}) =>
    (await made.run(calls, limits)).map(ended);
  return { made, run, turn };
}
