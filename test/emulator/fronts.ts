import { onTestFinished } from "vitest";
import { createEmulator, type Emulator, type EmulatorOptions, type EmulatorSeed } from "../../src/emulator/index.js";
import { startEmulator } from "../../src/emulator/node.js";
import { Svc, type SvcOptions } from "../../src/index.js";
import { checkDeclared } from "../support/declared-fields.js";
import { sampled } from "../support/size.js";

/** Seed of these tests: one user and one key in each state. */
export const testSeed: EmulatorSeed & { readonly keys: NonNullable<EmulatorSeed["keys"]> } = {
  keys: [
    { kind: "apiKey", value: "ak_emulator" },
    { kind: "userApiKey", value: "uak_emulator" },
    { kind: "orgApiKey", value: "oak_emulator" },
    { kind: "sessionCookie", value: "cookie_emulator" },
    { kind: "apiKey", value: "ak_revoked", state: "revoked" },
    { kind: "apiKey", value: "ak_expired", state: "expired" },
    { kind: "apiKey", value: "ak_readonly", denied: ["tools.execute", "authConfigs.create", "authConfigs.delete"] },
  ],
  authConfigs: [
    { id: "ac_github_demo", toolkit: "github", name: "GitHub" },
    { id: "ac_slack_demo", toolkit: "slack", name: "Slack" },
    { id: "ac_weather_demo", toolkit: "weathermap", type: "custom", name: "Weather" },
  ],
  connectedAccounts: [
    { id: "ca_github_demo", userId: "user-4711", authConfigId: "ac_github_demo" },
    { id: "ca_slack_demo", userId: "user-4711", authConfigId: "ac_slack_demo" },
    { id: "ca_weather_demo", userId: "user-4711", authConfigId: "ac_weather_demo" },
    { id: "ca_github_expired", userId: "user-expired", authConfigId: "ac_github_demo", status: "EXPIRED" },
    { id: "ca_github_inactive", userId: "user-inactive", authConfigId: "ac_github_demo", status: "INACTIVE" },
  ],
  integrations: ["integration-demo"],
};

/** The toolkits these tests use; an emulator can have more. */
export const KNOWN_TOOLKITS: readonly string[] = ["github", "slack", "weathermap", "textkit"];

/** A request sent without the client. */
export interface RawRequest {
  readonly headers?: Record<string, string>;
  readonly body?: unknown;
}

/** A raw response with its body. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: unknown;
}

/** An emulator behind one of its fronts: in process, or on a port. */
export interface Front {
  readonly emulator: Omit<Emulator, "connection">;
  readonly baseUrl: string;
  /** A client that validates requests and responses, doesn't retry, and reports every mismatch. */
  readonly svc: Svc;
  /** Creates another client with additional options. */
  client(options: SvcOptions): Svc;
  /** Sends one plain request, with the project key unless it includes headers. */
  raw(method: string, path: string, request?: RawRequest): Promise<RawAnswer>;
}

type Open = (options?: EmulatorOptions) => Promise<Front>;

const BOTH: readonly (readonly [string, Open])[] = [
  [
    "in process",
    async (options) => {
      const emulator = createEmulator({ seed: testSeed, ...options });
      return frontOf(emulator, emulator.connection, emulator.fetch);
    },
  ],
  [
    "over HTTP",
    async (options = {}) => {
      const emulator = await startEmulator({ seed: testSeed, ...options, clock: { running: false, ...options.clock } });
      onTestFinished(() => emulator.close());
      return frontOf(emulator, emulator.connection, fetch);
    },
  ],
];
/** For `describe.each(FRONTS)`, so that tests run in process, and in the long runs over HTTP too. */
export const FRONTS = sampled(BOTH, 2);

function frontOf(
  emulator: Omit<Emulator, "connection">,
  connection: SvcOptions & { readonly baseUrl: string },
  send: Emulator["fetch"],
): Front {
  const client = (options: SvcOptions) => new Svc({ ...connection, use: [checkDeclared()], maxRetries: 0, ...options });
  return {
    emulator,
    baseUrl: connection.baseUrl,
    svc: client({}),
    client,
    raw: async (method, path, { headers = { "x-api-key": connection.apiKey ?? "" }, body } = {}) => {
      const text = body === undefined || typeof body === "string" ? body : JSON.stringify(body);
      const init = { method, headers, ...(text !== undefined && { body: text }) };
      return readAnswer(await send(connection.baseUrl + path, init));
    },
  };
}

async function readAnswer(response: Response): Promise<RawAnswer> {
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: parse(text) };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Collects all items of an iterable. */
export async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const found: Item[] = [];
  for await (const item of items) found.push(item);
  return found;
}
