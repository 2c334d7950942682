import { describe, expect, test } from "vitest";
import { type ArgumentValidator, argumentValidator, checkArguments } from "../../src/arguments/index.js";
import { checkContract } from "../../src/contract/index.js";
import {
  ConfigError,
  type Logger,
  logCalls,
  observe,
  type SvcOptions,
  TimeoutError,
  ToolVersionRequiredError,
  ValidationError,
} from "../../src/index.js";
import { clientOf, emulated, rejection, rejectionOf } from "../support/client.js";
import { failure, held, type Sent, scriptedFetch, silence } from "../support/scripted-fetch.js";

const COUNT = "TEXTKIT_COUNT_WORDS";
const VERSION = "20250930_00";
const good = { version: VERSION, arguments: { text: "two words" } };
const bad = { version: VERSION, arguments: { text: 5 } };

/** A client that checks arguments, and what its emulator was asked. */
function checked(options: SvcOptions = { use: [checkArguments()] }) {
  const { svc, emulator } = emulated(options);
  return { svc, asked: () => emulator.requests.map(({ operation }) => operation) };
}

/** A client of a scripted service whose tool takes a text. */
function scripted(
  options: SvcOptions = {},
  tool: (request: Sent) => Response | Promise<Response> = () => SHOWN.clone(),
) {
  const lines: string[] = [];
  const log = (line: string) => void lines.push(line);
  const logger: Logger = { debug: log, info: log, warn: log };
  const { use = [checkArguments()] } = options;
  const fetch = scriptedFetch((request) => (request.method === "GET" ? tool(request) : RAN.clone()));
  const svc = clientOf(fetch, { maxRetries: 0, ...options, use: [logCalls({ logger }), ...use] });
  return { svc, fetch, lines, asked: () => fetch.sent.map(({ method }) => method).join(" ") };
}
const SHOWN = Response.json({ input_parameters: { type: "object", properties: { text: { type: "string" } } } });
const RAN = Response.json({ successful: true, data: {}, error: null });

describe("an execution with checkArguments", () => {
  test("whose arguments do not fit is refused with the tool and the path, and nothing is executed", async () => {
    const { svc, asked } = checked();
    const error = await rejectionOf(ValidationError, svc.tools.execute(COUNT, bad));
    expect(error.message).toBe(
      `tools.execute: the arguments of ${COUNT} (${VERSION}) do not fit its input schema: text: expected a string, seen number.`,
    );
    expect(error).toMatchObject({
      operation: "tools.execute",
      outcome: "not_sent",
      mismatches: [{ path: "text", expected: "a string", seen: "number" }],
    });
    expect(asked()).toEqual(["tools.get"]);
  });

  test("asks for each tool and version once, however many run at a time", async () => {
    const { svc, asked } = checked();
    const runs = await Promise.all([1, 2, 3].map(() => svc.tools.execute(COUNT, good)));
    await svc.tools.execute(COUNT, good);
    await svc.tools.execute(COUNT, { ...good, version: "00000000_00" });
    expect(runs.every(({ successful }) => successful)).toBe(true);
    expect(asked().filter((operation) => operation === "tools.get")).toHaveLength(2);
  });

  test("is checked against the version that runs, wherever it was configured", async () => {
    const { svc, fetch } = scripted({ toolkitVersions: { textkit: "20250115_00" } });
    await svc.tools.execute(COUNT, { arguments: { text: "x" } });
    expect(fetch.sent.map(({ target }) => target)).toEqual([
      `/api/v3.1/tools/${COUNT}?version=20250115_00`,
      `/api/v3.1/tools/execute/${COUNT}`,
    ]);
  });

  test("in the latest version asks each time: the latest may have changed", async () => {
    const { svc, asked } = scripted();
    for (const _ of [1, 2]) await svc.tools.execute(COUNT, { ...good, version: "latest" });
    expect(asked()).toBe("GET POST GET POST");
  });

  test("without arguments has empty ones; with a text the service makes them", async () => {
    const { svc, asked } = checked();
    const error = await rejectionOf(ValidationError, svc.tools.execute(COUNT, { version: VERSION }));
    expect(error.mismatches).toEqual([{ path: "text", expected: "a string", seen: "missing" }]);
    await svc.tools.execute(COUNT, { version: VERSION, text: "text: hello" });
    expect(asked()).toEqual(["tools.get", "tools.execute"]);
  });

  test("that is refused for something else asks for nothing", async () => {
    const { svc, asked } = checked({ use: [checkContract(), checkArguments()] });
    const lines: string[] = [];
    const warn = (line: string) => void lines.push(line);
    const hearing = checked({ use: [logCalls({ logger: { debug: warn, info: warn, warn } }), checkArguments()] });
    await rejectionOf(ToolVersionRequiredError, hearing.svc.tools.execute(COUNT, { arguments: {} }));
    expect([hearing.asked(), lines]).toEqual([[], []]);
    // @ts-expect-error no such field
    await rejectionOf(ValidationError, svc.tools.execute(COUNT, { ...good, userId: "u" }));
    expect(asked()).toEqual([]);
  });

  test("needs no question for a tool of the snapshot it was given", async () => {
    const input_parameters = { type: "object", properties: { text: { type: "string" } } };
    const catalogue = { toolkits: [{ tools: [{ slug: COUNT, version: VERSION, input_parameters }] }] };
    const { svc, asked } = scripted({ use: [checkArguments(argumentValidator({ catalogue }))] });
    await rejectionOf(ValidationError, svc.tools.execute(COUNT, bad));
    await svc.tools.execute(COUNT, good);
    await svc.tools.execute(COUNT, { ...good, version: "20250115_00" });
    expect(asked()).toBe("POST GET POST");
  });

  test("no other call is checked", async () => {
    const { svc, asked } = scripted();
    await svc.tools.input(COUNT, { text: "t", version: VERSION });
    expect(asked()).toBe("POST");
  });
});

describe("what cannot be checked is executed, with one warning for each tool and version", () => {
  test.each<[string, () => Response]>([
    ["a look-up that fails", () => failure(500)],
    ["a tool without a schema", () => Response.json({ slug: COUNT })],
    ["a schema that is none", () => Response.json({ input_parameters: { type: "nonsense" } })],
  ])("%s", async (_title, tool) => {
    const { svc, asked, lines } = scripted({}, tool);
    for (const _ of [1, 2]) expect(await svc.tools.execute(COUNT, bad)).toMatchObject({ successful: true });
    expect(asked().replaceAll("GET ", "")).toBe("POST POST");
    const warnings = lines.filter((line) => line.includes("not checked"));
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain(`tools.execute: the arguments of ${COUNT} (${VERSION}) are not checked.`);
  });

  test("a pattern that can't be matched in linear time, where all else fits", async () => {
    const text = { type: "string", pattern: "^(a)\\1$" };
    const { svc, asked, lines } = scripted({}, () =>
      Response.json({ input_parameters: { type: "object", properties: { text } } }),
    );
    for (const _ of [1, 2]) expect(await svc.tools.execute(COUNT, good)).toMatchObject({ successful: true });
    await rejectionOf(ValidationError, svc.tools.execute(COUNT, bad));
    expect(asked()).toBe("GET POST POST");
    const warnings = lines.filter((line) => line.includes("not checked"));
    expect(warnings).toEqual([
      expect.stringContaining("The pattern ^(a)\\1$ is not checked: it refers back to a group."),
    ]);
  });

  test("a schema that asks for too much work, well before the deadline", async () => {
    const text = { type: "string", pattern: "(?:a?){60}a{60}$" };
    const { svc, asked, lines } = scripted({}, () => Response.json({ input_parameters: { properties: { text } } }));
    const run = { version: VERSION, arguments: { text: "a".repeat(50_000) } };
    expect(await svc.tools.execute(COUNT, run)).toMatchObject({ successful: true });
    expect(asked()).toBe("GET POST");
    expect(lines.filter((line) => line.includes("takes too long"))).toHaveLength(1);
  });

  test("the warning is one line of bounded length, whatever the reason", async () => {
    const nowhere = { type: "object", properties: { text: { $ref: `#/a\nb${"c".repeat(2_000)}` } } };
    const { svc, lines } = scripted({}, () => Response.json({ input_parameters: nowhere }));
    await svc.tools.execute(COUNT, bad);
    const [warning = ""] = lines.filter((line) => line.includes("not checked"));
    expect(warning).toMatch(/^svc-sdk: tools\.execute: the arguments of .*Unresolved \$ref.{100,}$/);
    expect(warning.length).toBeLessThan(600);
  });

  test("a failed look-up is asked again by the next call", async () => {
    let answers = 0;
    const { svc } = scripted({}, () => (answers++ === 0 ? failure(500) : SHOWN.clone()));
    await svc.tools.execute(COUNT, bad);
    await rejectionOf(ValidationError, svc.tools.execute(COUNT, bad));
  });
});

describe("a look-up that takes long", () => {
  test("an abort ends the call with the caller's own reason, and not the look-up that others wait for", async () => {
    const { step, answer } = held();
    const { svc, asked } = scripted({}, step);
    const controller = new AbortController();
    const first = rejection(svc.tools.execute(COUNT, good, { signal: controller.signal }));
    const second = svc.tools.execute(COUNT, good);
    controller.abort("enough");
    expect(await first).toBe("enough");
    answer(SHOWN.clone());
    expect(await second).toMatchObject({ successful: true });
    expect(asked()).toBe("GET POST");
  });

  test.each(["tools.execute", "tools.get"])(
    "an abort by an observer at the request of %s ends the call",
    async (name) => {
      const controller = new AbortController();
      const abort = observe(({ type, operation }) => {
        if (type === "request" && operation === name) controller.abort("enough");
      });
      // The execution begins when its arguments are known to be good.
      const tool = name === "tools.execute" ? () => SHOWN.clone() : silence;
      const { svc, fetch } = scripted({ use: [abort, checkArguments()] }, tool);
      expect(await rejection(svc.tools.execute(COUNT, good, { signal: controller.signal }))).toBe("enough");
      expect(fetch.sent.filter(({ method }) => method === "POST")).toEqual([]);
    },
  );

  test("is bounded as the call is, and does not bound the calls beside it", async () => {
    let lookUps = 0;
    const { svc, asked } = scripted({}, (request) => (lookUps++ === 0 ? silence(request) : SHOWN.clone()));
    const hurried = svc.tools.execute(COUNT, bad, { timeoutMs: 20 });
    await rejectionOf(ValidationError, svc.tools.execute(COUNT, bad));
    // It was not checked: its schema did not come in time.
    expect(await hurried).toMatchObject({ successful: true });
    expect(asked()).toBe("GET GET POST");
  });

  test("counts into the deadline of the call, and nothing was sent", async () => {
    const { svc, asked } = scripted({}, silence);
    const error = await rejectionOf(TimeoutError, svc.tools.execute(COUNT, good, { deadlineMs: 20 }));
    expect(error).toMatchObject({ operation: "tools.execute", outcome: "not_sent", bound: "deadlineMs" });
    expect(asked()).toBe("GET");
  });
});

test.each([true, null, {}, "argumentValidator"])("%j is not a validator, which is a ConfigError", (wrong) => {
  // A program without types may pass anything.
  const make = () => checkArguments(wrong as unknown as ArgumentValidator);
  expect(make).toThrow(ConfigError);
  expect(make).toThrow("checkArguments: the validator must be argumentValidator(), or an object with check.");
});
