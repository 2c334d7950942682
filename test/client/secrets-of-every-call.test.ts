import { beforeAll, describe, expect, test } from "vitest";
import { type OperationName, operations } from "../../src/contract/index.js";
import type { Endpoint } from "../../src/index.js";
import { type Logger, logCalls, observe, Svc, SvcError } from "../../src/index.js";
import { connections } from "../contract/calls-connections.js";
import { events } from "../contract/calls-events.js";
import { projects } from "../contract/calls-projects.js";
import { sessions } from "../contract/calls-sessions.js";
import { tools } from "../contract/calls-tools.js";
import { type Case, caseContext } from "../contract/case.js";
import { fakeClock } from "../support/clock.js";
import { type Step, scriptedFetch } from "../support/scripted-fetch.js";
import { sized } from "../support/size.js";
import { everythingOf, expectNoSecret, failures, headers, keys } from "./secret-keys.js";

const cases: Readonly<Record<OperationName, Case>> = { ...connections, ...tools, ...events, ...sessions, ...projects };

/** How many failures each operation meets: all of them in turn, over all operations. */
const PER_OPERATION = sized(1, 6);

/** Drives an operation up to its own request, lets that fail, and gives everything that came out. */
async function everythingThatCameOut(operation: OperationName, step: Step): Promise<string> {
  const context = caseContext();
  const { emulator } = context;
  const { fetch, apiKey, userApiKey, orgApiKey } = emulator.connection;
  const genuine = { "x-api-key": apiKey, "x-user-api-key": userApiKey, "x-org-api-key": orgApiKey };
  const out: unknown[] = [];
  let current = "";
  const record = (...line: unknown[]) => void out.push(...line);
  const logger: Logger = { debug: record, info: record, warn: record };
  const failing = scriptedFetch(step);
  const svc = new Svc({
    ...keys,
    headers,
    baseUrl: emulator.connection.baseUrl,
    env: {},
    maxRetries: 1,
    timeoutMs: 5,
    clock: fakeClock(emulator),
    use: [
      observe((event) => {
        current = event.operation;
        record(event, structuredClone(event));
      }),
      logCalls({ logger, level: "debug" }),
    ],
    fetch: async (request) => {
      if (current === operation) return failing(request);
      const passed = new Headers(request.headers);
      for (const [name, key] of Object.entries(genuine)) if (key && passed.has(name)) passed.set(name, key);
      return fetch(new Request(request, { headers: passed }));
    },
  });
  const error = await cases[operation].happy({ ...context, svc }).then(
    () => undefined,
    (failure: unknown) => failure,
  );
  // What an error response leaves of a good one: a page that breaks, a value that is not the data. Never nothing.
  expect(error).toBeInstanceOf(SvcError);
  out.push(error);
  return out.map(everythingOf).join("\n");
}

describe("no secret appears in a failing call's error", () => {
  // The emulator loads the code of sessions with their first request, which may take longer than `timeoutMs`.
  beforeAll(() => sessions["toolRouter.get"].happy(caseContext()));

  const combinations = operations.flatMap(({ endpoint }: { readonly endpoint: Endpoint }, row) =>
    Array.from({ length: PER_OPERATION }, (_, column) => {
      const failure = failures[(row * PER_OPERATION + column) % failures.length];
      // The names of the contract's operations are `OperationName` by its definition.
      return { operation: endpoint.name as OperationName, failure };
    }),
  );

  test.each(combinations)(
    "hides every secret when $operation fails with $failure.0",
    async ({ operation, failure: [, step] = ["", silent] }) => {
      const everything = await everythingThatCameOut(operation, step);
      expect(everything).toContain(operation);
      expectNoSecret(everything);
    },
  );

  test(`covers every operation`, () => {
    expect(combinations.length).toBeGreaterThan(90 * PER_OPERATION);
  });
});

const silent: Step = new Error("unused");
