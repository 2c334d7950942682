import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { compileSchema } from "../../../src/agents/schema/compile.js";
import type { Target } from "../../../src/agents/schema/types.js";
import { type CompilerPromise, keepsTheRules, listsWhatItOpens, losesNoProperty, reachesEachValue } from "./promises.js";
import { TARGETS } from "./targets/index.js";

interface Server {
  readonly name: string;
  readonly version: string;
  readonly tools: readonly { readonly name: string; readonly inputSchema: unknown }[];
}

// What tools/mcp-servers/dump.mjs wrote.
const servers = JSON.parse(readFileSync(new URL("real-tools.json", import.meta.url), "utf8")) as readonly Server[];
const tools = servers.flatMap(({ name, tools: own }) => own.map((tool) => ({ ...tool, server: name })));
const PROMISES: readonly CompilerPromise[] = [keepsTheRules, reachesEachValue, listsWhatItOpens, losesNoProperty];
const SEEDS = [1, 2, 3];

const notStrict = (own: Server["tools"], target: Target) =>
  own.flatMap(({ name, inputSchema }) => {
    const { strict, notes } = compileSchema(inputSchema, target);
    return strict ? [] : [`${name}: ${notes.filter(({ kind }) => kind === "not-strict").map(({ path, message }) => `${path} ${message}`)[0]}`];
  });

describe("tools of public MCP servers", () => {
  test("come from servers of many authors", () => {
    expect(servers.map(({ name, version, tools: own }) => `${name} ${version}: ${own.length}`)).toMatchInlineSnapshot();
  });

  test.each(TARGETS)("keep every promise for %s", (target) => {
    const broken = tools.flatMap(({ server, name, inputSchema }) =>
      PROMISES.flatMap((promise) =>
        SEEDS.flatMap((seed) => {
          const problem = promise(inputSchema, target, seed);
          return problem === undefined ? [] : [{ server, name, promise: promise.name, problem }];
        }),
      ),
    );
    expect(broken.slice(0, 3)).toEqual([]);
  });

  test("are strict for OpenAI, but for 2 % of a large server and 10 % of all", () => {
    const large = servers.find(({ tools: own }) => own.length > 200);
    expect(notStrict(large?.tools ?? [], "openai-strict")).toMatchInlineSnapshot();
    expect(notStrict(tools, "openai-strict").length / tools.length).toBeLessThanOrEqual(0.1);
    expect(notStrict(large?.tools ?? [], "openai-strict").length / (large?.tools.length ?? 1)).toBeLessThanOrEqual(0.02);
  });
});
