import { describe, expect, test } from "vitest";
import { type ArgumentValidator, argumentValidator, validateArguments } from "../../src/contract/arguments.js";
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

/** A client that checks arguments, and the operations that its emulator received. */
function checked(options: SvcOptions = { use: [validateArguments()] }) {
  const { svc, emulator } = emulated(options);
  return { svc, asked: () => emulator.requests.map(({ operation }) => operation) };
}

/** A client of a scripted service whose tool takes a string. */
function scripted(
  options: SvcOptions = {},
  tool: (request: Sent) => Response | Promise<Response> = () => SHOWN.clone(),
) {
  const lines: string[] = [];
  const log = (line: string) => void lines.push(line);
  const logger: Logger = { debug: log, info: log, warn: log };
  const { use = [validateArguments()] } = options;
  const fetch = scriptedFetch((request) => (request.method === "GET" ? tool(request) : RAN.clone()));
  const svc = clientOf(fetch, { maxRetries: 0, ...options, use: [logCalls({ logger }), ...use] });
  return { svc, fetch, lines, asked: () => fetch.sent.map(({ method }) => method).join(" ") };
}
const SHOWN = Response.json({ input_parameters: { type: "object", properties: { text: { type: "string" } } } });
const RAN = Response.json({ successful: true, data: {}, error: null });

describe("validateArguments", () => {
  test("rejects invalid arguments with the tool and the path, and executes nothing", async () => {
    const { svc, asked } = checked();
    const error = await rejectionOf(ValidationError, svc.tools.execute(COUNT, bad));
    expect(error.message).toBe(
      `tools.execute: the arguments of ${COUNT} (${VERSION}) don't match its input schema: text: expected a string, received number.`,
    );
    expect(error).toMatchObject({
      operation: "tools.execute",
      outcome: "not_sent",
      mismatches: [{ path: "text", expected: "a string", received: "number" }],
    });
    expect(asked()).toEqual(["tools.get"]);
  });

  test("requests each tool and version once, however many calls run at a time", async () => {
    const { svc, asked } = checked();
    const runs = await Promise.all([1, 2, 3].map(() => svc.tools.execute(COUNT, good)));
    await svc.tools.execute(COUNT, good);
    await svc.tools.execute(COUNT, { ...good, version: "00000000_00" });
    expect(runs.every(({ successful }) => successful)).toBe(true);
    expect(asked().filter((operation) => operation === "tools.get")).toHaveLength(2);
  });

  test("checks against the version that runs, wherever it was configured", async () => {
    const { svc, fetch } = scripted({ toolkitVersions: { textkit: "20250115_00" } });
    await svc.tools.execute(COUNT, { arguments: { text: "x" } });
    expect(fetch.sent.map(({ target }) => target)).toEqual([
      `/api/v3.1/tools/${COUNT}?version=20250115_00`,
      `/api/v3.1/tools/execute/${COUNT}`,
    ]);
  });

  test("requests the latest version each time, because it may have changed", async () => {
    const { svc, asked } = scripted();
    for (const _ of [1, 2]) await svc.tools.execute(COUNT, { ...good, version: "latest" });
    expect(asked()).toBe("GET POST GET POST");
  });

  test("checks missing arguments as empty ones, and nothing if the service derives them from `text`", async () => {
    const { svc, asked } = checked();
    const error = await rejectionOf(ValidationError, svc.tools.execute(COUNT, { version: VERSION }));
    expect(error.mismatches).toEqual([{ path: "text", expected: "a string", received: "missing" }]);
    await svc.tools.execute(COUNT, { version: VERSION, text: "text: hello" });
    expect(asked()).toEqual(["tools.get", "tools.execute"]);
  });

  test("requests nothing for a call that is rejected anyway", async () => {
    const { svc, asked } = checked({ use: [checkContract(), validateArguments()] });
    const lines: string[] = [];
    const warn = (line: string) => void lines.push(line);
    const hearing = checked({ use: [logCalls({ logger: { debug: warn, info: warn, warn } }), validateArguments()] });
    await rejectionOf(ToolVersionRequiredError, hearing.svc.tools.execute(COUNT, { arguments: {} }));
    expect([hearing.asked(), lines]).toEqual([[], []]);
    // @ts-expect-error no such field
    await rejectionOf(ValidationError, svc.tools.execute(COUNT, { ...good, userId: "u" }));
    expect(asked()).toEqual([]);
  });

  test("requests no tool that its snapshot has", async () => {
    const input_parameters = { type: "object", properties: { text: { type: "string" } } };
    const catalog = { toolkits: [{ tools: [{ slug: COUNT, version: VERSION, input_parameters }] }] };
    const { svc, asked } = scripted({ use: [validateArguments(argumentValidator({ catalog }))] });
    await rejectionOf(ValidationError, svc.tools.execute(COUNT, bad));
    await svc.tools.execute(COUNT, good);
    await svc.tools.execute(COUNT, { ...good, version: "20250115_00" });
    expect(asked()).toBe("POST GET POST");
  });

  test("checks no other operation", async () => {
    const { svc, asked } = scripted();
    await svc.tools.generateArguments(COUNT, { text: "t", version: VERSION });
    expect(asked()).toBe("POST");
  });
});

test("validateArguments warns about an argument that the schema doesn't mention, and sends the call", async () => {
  const properties = { title: { type: "string" }, labels: { type: "array" } };
  const shown = (schema: object) => () => Response.json({ slug: COUNT, input_parameters: schema });
  const call = { version: VERSION, arguments: { title: "t", lables: ["x"] } };
  const open = scripted({}, shown({ type: "object", properties }));
  await open.svc.tools.execute(COUNT, call);
  expect(open.asked()).toBe("GET POST");
  expect(open.lines.filter((line) => line.includes("lables"))).toEqual([
    expect.stringContaining(
      `the schema of ${COUNT} (${VERSION}) has no argument lables (did you mean labels?), so the tool may ignore it.`,
    ),
  ]);
  // A schema that describes further properties expects them.
  const described = scripted({}, shown({ type: "object", properties, additionalProperties: true }));
  await described.svc.tools.execute(COUNT, call);
  expect(described.lines.filter((line) => line.includes("lables"))).toEqual([]);
});

describe("validateArguments warns once per tool and version, and sends the call, for", () => {
  test.each<[string, () => Response]>([
    ["a lookup that fails", () => failure(500)],
    ["a tool without a schema", () => Response.json({ slug: COUNT })],
    ["an invalid schema", () => Response.json({ input_parameters: { type: "nonsense" } })],
  ])("%s", async (_title, tool) => {
    const { svc, asked, lines } = scripted({}, tool);
    for (const _ of [1, 2]) expect(await svc.tools.execute(COUNT, bad)).toMatchObject({ successful: true });
    expect(asked().replaceAll("GET ", "")).toBe("POST POST");
    const warnings = lines.filter((line) => line.includes("not checked"));
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain(`tools.execute: the arguments of ${COUNT} (${VERSION}) are not checked.`);
  });

  test("a pattern that can't be matched in linear time, if the rest is valid", async () => {
    const text = { type: "string", pattern: "^(a)\\1$" };
    const { svc, asked, lines } = scripted({}, () =>
      Response.json({ input_parameters: { type: "object", properties: { text } } }),
    );
    for (const _ of [1, 2]) expect(await svc.tools.execute(COUNT, good)).toMatchObject({ successful: true });
    await rejectionOf(ValidationError, svc.tools.execute(COUNT, bad));
    expect(asked()).toBe("GET POST POST");
    const warnings = lines.filter((line) => line.includes("not checked"));
    expect(warnings).toEqual([
      expect.stringContaining(
        `the arguments of ${COUNT} (${VERSION}) are only partly checked; the rest is valid. ` +
          "The pattern ^(a)\\1$ is not checked: it refers back to a group.",
      ),
    ]);
  });

  test("any reason, in one line of limited length", async () => {
    const nowhere = { type: "object", properties: { text: { $ref: `#/a\nb${"c".repeat(2_000)}` } } };
    const { svc, lines } = scripted({}, () => Response.json({ input_parameters: nowhere }));
    await svc.tools.execute(COUNT, bad);
    const [warning = ""] = lines.filter((line) => line.includes("not checked"));
    expect(warning).toMatch(/^svc-sdk: tools\.execute: the arguments of .*\$ref ".{100,}$/);
    expect(warning.length).toBeLessThan(600);
  });

  test("a failed lookup, which the next call repeats", async () => {
    let responses = 0;
    const { svc } = scripted({}, () => (responses++ === 0 ? failure(500) : SHOWN.clone()));
    await svc.tools.execute(COUNT, bad);
    await rejectionOf(ValidationError, svc.tools.execute(COUNT, bad));
  });
});

describe("a check that doesn't end normally rejects the call", () => {
  test("because it takes too long", async () => {
    const text = { type: "string", pattern: "(?:a?){60}a{60}$" };
    const { svc, asked } = scripted({}, () => Response.json({ input_parameters: { properties: { text } } }));
    const run = { version: VERSION, arguments: { text: "a".repeat(50_000) } };
    const { message, outcome } = await rejectionOf(ValidationError, svc.tools.execute(COUNT, run));
    expect([message, outcome]).toEqual([
      `tools.execute: the arguments of ${COUNT} (${VERSION}) can't be validated: The check takes too long. ` +
        "Pass fewer arguments, or omit validateArguments().",
      "not_sent",
    ]);
    expect(asked()).toBe("GET");
  });

  test("because a validator of the program overflows the stack", async () => {
    const check = () => {
      throw new RangeError("Maximum call stack size exceeded");
    };
    const { svc } = scripted({ use: [validateArguments({ check })] });
    await rejectionOf(ValidationError, svc.tools.execute(COUNT, good));
  });

  test.each<[string, object]>([
    ["a list", { type: "array", items: { type: "string" } }],
    ["a list in an alternative", { anyOf: [{ type: "array", items: { type: "string" } }] }],
    ["a list in a condition", JSON.parse('{"if":{"type":"array"},"then":{"items":{"type":"string"}}}')],
  ])("and lists 2,000 of 130,000 wrong items of %s", async (_, text) => {
    const { svc, asked } = scripted({}, () => Response.json({ input_parameters: { properties: { text } } }));
    const run = { version: VERSION, arguments: { text: Array.from({ length: 130_000 }, () => 5) } };
    const { mismatches } = await rejectionOf(ValidationError, svc.tools.execute(COUNT, run));
    expect(mismatches).toHaveLength(2_000);
    expect(asked()).toBe("GET");
  });
});

describe("a slow lookup", () => {
  test("goes on for other calls if its call is aborted, which rejects with the caller's own reason", async () => {
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
    "or its call is ended by a listener that aborts at the request of %s",
    async (name) => {
      const controller = new AbortController();
      const abort = observe(({ type, operation }) => {
        if (type === "request" && operation === name) controller.abort("enough");
      });
      // The execution starts when its arguments are checked.
      const tool = name === "tools.execute" ? () => SHOWN.clone() : silence;
      const { svc, fetch } = scripted({ use: [abort, validateArguments()] }, tool);
      expect(await rejection(svc.tools.execute(COUNT, good, { signal: controller.signal }))).toBe("enough");
      expect(fetch.sent.filter(({ method }) => method === "POST")).toEqual([]);
    },
  );

  test("has its call's timeout, and doesn't limit other calls", async () => {
    let lookups = 0;
    const { svc, asked } = scripted({}, (request) => (lookups++ === 0 ? silence(request) : SHOWN.clone()));
    const hurried = svc.tools.execute(COUNT, bad, { timeoutMs: 20 });
    await rejectionOf(ValidationError, svc.tools.execute(COUNT, bad));
    // It wasn't checked, because its schema came too late.
    expect(await hurried).toMatchObject({ successful: true });
    expect(asked()).toBe("GET GET POST");
  });

  test("counts toward the deadline of its call, which sends nothing", async () => {
    const { svc, asked } = scripted({}, silence);
    const error = await rejectionOf(TimeoutError, svc.tools.execute(COUNT, good, { deadlineMs: 20 }));
    expect(error).toMatchObject({ operation: "tools.execute", outcome: "not_sent", option: "deadlineMs" });
    expect(asked()).toBe("GET");
  });
});

test.each([true, null, {}, "argumentValidator"])(
  "validateArguments throws a ConfigError for %j instead of a validator",
  (wrong) => {
    // A JavaScript program may pass anything.
    const make = () => validateArguments(wrong as unknown as ArgumentValidator);
    expect(make).toThrow(ConfigError);
    expect(make).toThrow("validateArguments: the validator must be argumentValidator(), or an object with check.");
  },
);
