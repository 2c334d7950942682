import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { callables, kindsOf } from "../../src/cli/call/callable.js";
import { operationCommand, statedCall } from "../../src/cli/call/operation.js";
import { helpOf, parsedCommandLine, UsageError } from "../../src/cli/command.js";
import { operations } from "../../src/contract/index.js";
import { type AnyInput, type Middleware, Svc } from "../../src/index.js";
import { ANY } from "../../src/json-schema/node.js";
import { connections } from "../contract/calls-connections.js";
import { events } from "../contract/calls-events.js";
import { projects } from "../contract/calls-projects.js";
import { sessions } from "../contract/calls-sessions.js";
import { tools } from "../contract/calls-tools.js";
import { type Case, caseContext } from "../contract/case.js";
import { fakeClock } from "../support/clock.js";
import { sized } from "../support/size.js";
import { testTerminal } from "./run.js";
import { directoryWith } from "./setups.js";

const known = callables();
const named = (name: string) => {
  const operation = known.get(name);
  if (!operation) throw new Error(`There is no operation ${name}.`);
  return operation;
};
const read = (name: string, ...words: string[]) => {
  const { values, positionals } = parsedCommandLine(operationCommand(named(name)), words);
  return statedCall(testTerminal({ cwd: "/" }), named(name), values, positionals).input;
};
const messageOf = (name: string, ...words: string[]): string => {
  try {
    return JSON.stringify(read(name, ...words));
  } catch (error) {
    expect(error).toBeInstanceOf(UsageError);
    return error instanceof Error ? error.message : "";
  }
};

/** The input of a program's call, as words. */
function wordsFor(name: string, { params = {}, query = {}, body }: AnyInput): string[] {
  const operation = named(name);
  const parts = [
    ...Object.entries(query).map((pair) => ["query", ...pair]),
    ...Object.entries(body ?? {}).map((pair) => ["body", ...pair]),
  ];
  const options = parts.flatMap(([place, field, value]) => {
    const { option, node } = operation.fields.find((one) => one.place === place && one.name === field) ?? {
      option: "",
      node: ANY,
    };
    if (typeof value === "boolean" && kindsOf(node).has("boolean") && !kindsOf(node).has("string")) {
      return [value ? `--${option}` : `--no-${option}`];
    }
    const isText = typeof value === "string" && (kindsOf(node).size === 1 || !/^[\d[{"tfn-]/.test(value));
    return value === undefined ? [] : [`--${option}=${isText ? value.replace(/^@/, "@@") : JSON.stringify(value)}`];
  });
  return [...operation.params.map((param) => params[param] ?? ""), ...options];
}

const cases: Readonly<Record<string, Case>> = { ...connections, ...events, ...projects, ...sessions, ...tools };

describe("svc-sdk call", () => {
  test("knows every operation of the contract", () => {
    const names = operations.map(({ endpoint }) => endpoint.name);
    expect([...known.keys()]).toEqual(expect.arrayContaining(names));
    expect(Object.keys(cases).sort()).toEqual(names.sort());
  });

  test.each(Object.entries(cases))("%s sends what a program sends", async (name, { happy }) => {
    const context = caseContext();
    const inputs: AnyInput[] = [];
    const record: Middleware = ({ endpoint, input }, next) => {
      if (endpoint.name === name) inputs.push(input);
      return next();
    };
    const clock = fakeClock(context.emulator);
    const svc = new Svc({ ...context.emulator.connection, env: {}, clock, use: [record] });
    await happy({ ...context, svc });
    const sent = inputs.at(-1) ?? {};
    const stated = read(name, ...wordsFor(name, sent));
    const plain = ({ params, query = {}, body = {} }: AnyInput) => JSON.parse(JSON.stringify({ params, query, body }));
    expect(plain(stated)).toEqual(plain(sent));
  });

  test("--help shows the limits and parts of fields that may be null", () => {
    const help = (name: string) => helpOf(`call ${name}`, "", operationCommand(named(name))).join("\n");
    expect(help("authConfigs.list")).toMatch(/--limit .*1 to 1000/);
    expect(help("toolRouter.update")).toMatch(/--workbench .*\{ enable\?, /);
  });

  test.each([...known])("%s --help lists its path parameters, fields and keys", (name, operation) => {
    const help = helpOf(`call ${name}`, "", operationCommand(operation)).join("\n");
    expect(help).toContain(
      `svc-sdk call ${[name, ...operation.params.map((param) => `<${param}>`)].join(" ")} [options]`,
    );
    for (const field of operation.fields)
      expect(help).toMatch(new RegExp(`^  --(?:body\\.)?${field.name}(?: |$)`, "m"));
    expect(help).not.toMatch(/undefined|\[object| {2}$/m);
    const fieldOf = (option: string) => operation.fields.filter((field) => field.option === option);
    const shown = Object.keys(operationCommand(operation).options).flatMap(fieldOf);
    const ranks = shown.map(({ isRequired, isDeprecated }) => (isDeprecated ? 2 : isRequired ? 0 : 1));
    expect(ranks).toHaveLength(operation.fields.length);
    expect(ranks).toEqual(ranks.toSorted());
  });

  test("reads strings, numbers, flags, lists, JSON and files", () => {
    const folder = directoryWith({
      ...{ "issue.json": '{ "title": "It broke" }', "text.txt": "two\nlines" },
      ...{
        "windows.json": '\uFEFF{ "text": "one" }\r\n',
        "echo.txt": "user-4711\n",
        "windows.txt": "user-4711\r\n",
        "blank.txt": "one\n\n",
      },
    });
    expect(
      read("tools.list", "--toolkit_slug", "github", "--limit", "5", "--include_deprecated", "--tags=a", "--tags=b"),
    ).toEqual({
      query: { toolkit_slug: "github", limit: 5, include_deprecated: true, tags: ["a", "b"] },
    });
    const execute = ["GITHUB_CREATE_AN_ISSUE", "--user_id", "123", "--version", "20251023_00"];
    const body = { user_id: "123", version: "20251023_00" };
    const params = { tool_slug: "GITHUB_CREATE_AN_ISSUE" };
    expect(read("tools.execute", ...execute, "--arguments", `@${folder}/issue.json`)).toEqual({
      params,
      body: { ...body, arguments: { title: "It broke" } },
    });
    expect(read("tools.execute", ...execute, "--arguments", `@${folder}/windows.json`)).toMatchObject({
      body: { arguments: { text: "one" } },
    });
    expect(read("tools.execute", ...execute, "--text", `@${folder}/text.txt`)).toMatchObject({
      body: { text: "two\nlines" },
    });
    for (const [file, text] of [
      ["echo", "user-4711"],
      ["windows", "user-4711"],
      ["blank", "one\n"],
    ]) {
      expect(read("tools.execute", ...execute, "--text", `@${folder}/${file}.txt`)).toMatchObject({ body: { text } });
    }
    expect(read("tools.execute", ...execute, "--body", `@${folder}/windows.json`)).toMatchObject({
      body: { text: "one" },
    });
    expect(read("tools.execute", ...execute, "--text", "@@ada")).toMatchObject({ body: { text: "@ada" } });
    expect(read("tools.execute", ...execute, "--text", "-")).toMatchObject({ body: { text: "-" } });
  });

  test("mentions JSON only for objects and arrays", () => {
    expect(messageOf("tools.list", "--limit", "abc")).toBe("--limit must be a number, not abc.");
    expect(messageOf("tools.list", "--limit", '{"a":1}')).toBe('--limit must be a number, not {"a":1}.');
    expect(messageOf("tools.execute", "X", "--arguments", "1")).toContain("an object, not a number. JSON must be in");
  });

  test("has one character in the singular in the help", () => {
    const help = helpOf("call toolRouter.create", "", operationCommand(named("toolRouter.create"))).join("\n");
    expect(help).toMatch(/--user_id .*at least 1 character$/m);
  });

  test("a field replaces that of the whole body", () => {
    const whole = '{ "user_id": "ada", "version": "latest", "arguments": {} }';
    const { body } = read("tools.execute", "TEXTKIT_REVERSE", "--body", whole, "--user_id", "bob");
    expect(body).toEqual({ user_id: "bob", version: "latest", arguments: {} });
    const proxied = read("tools.proxy", "--endpoint", "/x", "--method", "POST", "--body.body", '{"a":1}');
    expect(proxied.body).toEqual({ endpoint: "/x", method: "POST", body: { a: 1 } });
  });

  test.each([
    ["a misspelled field", ["tools.list", "--tolkit_slug", "github"], "Did you mean --toolkit_slug?"],
    ["a field with hyphens", ["tools.list", "--toolkit-slug", "github"], "Did you mean --toolkit_slug?"],
    ["a missing path parameter", ["tools.get"], "takes <tool_slug>, but none was passed"],
    [
      "one path parameter too many",
      ["tools.listSlugs", "github"],
      "takes no argument without a name, but one was passed",
    ],
    ["a word for a number", ["tools.list", "--limit", "many"], "--limit must be a number, not many."],
    ["a number out of range", ["authConfigs.list", "--limit", "5000"], "--limit: expected"],
    [
      "such a number in an object",
      ["tools.execute", "X", "--user_id", "u", "--version", "latest", "--arguments", '{"list":[{"count":-1e400}]}'],
      "tools.execute: count: expected a finite number, got -Infinity.",
    ],
    ["a number that JavaScript doesn't have", ["tools.list", "--limit", "1e400"], "expected a number, got Infinity."],
    [
      "a missing field",
      ["webhookSubscriptions.create", "--webhook_url", "https://a.example"],
      "--enabled_events: expected",
    ],
    [
      "an execution without a version",
      ["tools.execute", "X", "--user_id", "ada"],
      "--version is required: 20251023_00 or latest.",
    ],
    ["a missing body", ["webhookSubscriptions.create"], "--webhook_url: expected"],
    [
      "JSON without quotes",
      ["tools.execute", "X", "--arguments", "{a: 1}"],
      "--arguments must be an object, not something that isn't JSON. JSON must be in quotes",
    ],
    ["a list for one value", ["tools.list", "--limit", "1", "--limit", "2"], "--limit was given 2 times"],
    ["two bodies", ["tools.execute", "X", "--body", "{}", "--body", "{}"], "--body was given 2 times"],
    [
      "two API versions",
      ["tools.list", "--api-version", "v3", "--api-version", "v3"],
      "--api-version was given 2 times, but takes one value.",
    ],
    ["an option without its value", ["tools.list", "--limit"], "--limit needs a value"],
    [
      "an option before another one without its value",
      ["tools.execute", "X", "--user_id", "--version", "20251023_00"],
      "--user_id needs a value, but --version follows. Write --user_id=--version if it is the value.",
    ],
    ["a file that doesn't exist", ["tools.execute", "X", "--arguments", "@none.json"], "no such file"],
    ["a key", ["tools.list", "--api-key", "ak_1"], "set SVC_API_KEY"],
    ["another API version", ["tools.list", "--api-version", "v4"], "must be v3.1 or v3"],
    ["a body for a read", ["tools.list", "--body", "{}"], "takes no body"],
    ["a body that isn't an object", ["tools.execute", "X", "--body", "[]"], "must be a JSON object"],
  ])("rejects %s before it sends anything", (_what, [name = "", ...words], message) => {
    expect(messageOf(name, ...words)).toContain(message);
  });
});

test("svc-sdk call rejects any words with a message, and never fails in another way", () => {
  const field = fc.constantFrom(
    ...new Set([...known.values()].flatMap(({ fields }) => fields.map(({ name }) => name))),
  );
  const option = fc.oneof(field, fc.constantFrom("body", "query.limit", "__proto__", "constructor", "", "="));
  const value = fc.oneof(fc.string(), fc.json(), fc.constantFrom("@", "@/", "@@", "true", "-1", "[", "null", "--"));
  const word = fc.oneof(
    option.map((name) => `--${name}`),
    fc.tuple(option, value).map(([name, text]) => `--${name}=${text}`),
    value,
  );
  // Standard input belongs to the test runner.
  const words = fc.array(
    word.filter((text) => !/(^|=)@?-$/.test(text)),
    { maxLength: 6 },
  );
  fc.assert(
    fc.property(fc.constantFrom(...known.keys()), words, (name, line) => {
      expect(typeof messageOf(name, ...line)).toBe("string");
    }),
    { numRuns: sized(60, 50_000), seed: 21 },
  );
});
