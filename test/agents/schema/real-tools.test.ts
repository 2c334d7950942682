import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { compileSchema } from "../../../src/agents/schema/compile.js";
import { sized } from "../../support/size.js";
import {
  type CompilerPromise,
  keepsTheRules,
  listsWhatItOpens,
  losesNoProperty,
  reachesEachValue,
} from "./promises.js";
import { TARGETS } from "./targets/index.js";

interface Server {
  readonly name: string;
  readonly version: string;
  readonly tools: readonly { readonly name: string; readonly inputSchema: unknown }[];
}

// What test/programs/mcp-servers/dump.mjs wrote.
const servers = JSON.parse(readFileSync(new URL("real-tools.json", import.meta.url), "utf8")) as readonly Server[];
const tools = servers.flatMap(({ name, tools: own }) => own.map((tool) => ({ ...tool, server: name })));
const PROMISES: readonly CompilerPromise[] = [keepsTheRules, reachesEachValue, listsWhatItOpens, losesNoProperty];
/** Of the random values of each tool. */
const SEEDS = sized([1], [1, 2, 3], [1, 2, 3, 4, 5, 6, 7, 8]);
/** Tools of all servers: the largest has more than half of them. */
const TRIED = tools.filter((_, index) => index % sized(18, 1) === 0);

/** Each tool that isn't strict for OpenAI, and why. */
const reasons = new Map(
  tools.flatMap((tool) => {
    const { strict, notes } = compileSchema(tool.inputSchema, "openai-strict");
    const note = notes.find(({ kind }) => kind === "not-strict");
    return strict ? [] : [[tool, note?.message] as const];
  }),
);
const notStrict = (server?: string) => [...reasons.keys()].filter((tool) => tool.server === server);

describe("tools of public MCP servers", () => {
  test("come from servers of many authors", () => {
    expect(servers.map(({ name, version, tools: own }) => `${name} ${version}: ${own.length}`)).toMatchInlineSnapshot(`
      [
        "@modelcontextprotocol/server-everything 2026.8.31: 13",
        "@modelcontextprotocol/server-filesystem 2026.8.31: 14",
        "@modelcontextprotocol/server-github 2025.4.8: 26",
        "@modelcontextprotocol/server-gitlab 2025.4.25: 9",
        "@modelcontextprotocol/server-memory 2026.8.31: 9",
        "@modelcontextprotocol/server-sequential-thinking 2026.8.31: 1",
        "@modelcontextprotocol/server-slack 2025.4.25: 8",
        "@notionhq/notion-mcp-server 2.5.2: 24",
        "@playwright/mcp 0.0.83: 25",
        "@zereight/mcp-gitlab 2.1.64: 262",
        "airtable-mcp-server 1.14.0: 16",
        "chrome-devtools-mcp 1.11.0: 32",
        "firecrawl-mcp 3.26.0: 29",
        "tavily-mcp 0.2.22: 5",
      ]
    `);
  });

  test.each(TARGETS)("keep every promise for %s", (target) => {
    const broken = TRIED.flatMap(({ server, name, inputSchema }) =>
      PROMISES.flatMap((promise) =>
        SEEDS.flatMap((seed) => {
          const problem = promise(inputSchema, target, seed);
          return problem === undefined ? [] : [{ server, name, promise: promise.name, problem }];
        }),
      ),
    );
    expect(broken.slice(0, 3)).toEqual([]);
  });

  test("are strict for OpenAI, except for at most one in ten, and one in fifty of the largest server", () => {
    expect(reasons.size / tools.length).toBeLessThanOrEqual(0.1);
    const [largest] = servers.toSorted((one, other) => other.tools.length - one.tools.length);
    expect(notStrict(largest?.name).length / (largest?.tools.length ?? 0)).toBeLessThanOrEqual(0.02);
    expect(
      servers.map(({ name, tools: own }) => `${name}: ${notStrict(name).length} of ${own.length}`),
    ).toMatchInlineSnapshot(`
      [
        "@modelcontextprotocol/server-everything: 0 of 13",
        "@modelcontextprotocol/server-filesystem: 0 of 14",
        "@modelcontextprotocol/server-github: 0 of 26",
        "@modelcontextprotocol/server-gitlab: 0 of 9",
        "@modelcontextprotocol/server-memory: 0 of 9",
        "@modelcontextprotocol/server-sequential-thinking: 0 of 1",
        "@modelcontextprotocol/server-slack: 0 of 8",
        "@notionhq/notion-mcp-server: 11 of 24",
        "@playwright/mcp: 0 of 25",
        "@zereight/mcp-gitlab: 5 of 262",
        "airtable-mcp-server: 4 of 16",
        "chrome-devtools-mcp: 0 of 32",
        "firecrawl-mcp: 1 of 29",
        "tavily-mcp: 0 of 5",
      ]
    `);
  });

  test("aren't strict only if no strict schema can express them", () => {
    const found = [...reasons.values()];
    const counts = [...new Set(found)].map(
      (reason) => `${found.filter((other) => other === reason).length}: ${reason}`,
    );
    expect(counts.sort()).toMatchInlineSnapshot(`
      [
        "21: Any properties are accepted here.",
      ]
    `);
  });
});
