import { readFileSync } from "node:fs";
import { encode } from "gpt-tokenizer";
import { describe, expect, test } from "vitest";
import { openaiChat } from "../../../src/agents/adapters/openai.js";
import type { AgentTool, CallResult, Toolset } from "../../../src/agents/index.js";
import { tool } from "../../../src/agents/index.js";
import { sized } from "../../support/size.js";
import type { TurnAdapter } from "../adapter-under-test.js";
import { gated } from "../approvals/support.js";
import { TURN_ADAPTERS } from "../every-adapter.js";
import { bench, COUNT_WORDS, CREATE_ISSUE, deciding, ISSUE } from "../support.js";

const FIND = "find_tools";
const everyTool = { tools: [], toolkits: ["github", "textkit"] };
const every = () => true;

interface Call {
  readonly id?: string;
  readonly name: string;
  readonly arguments: unknown;
}

/** The tools that a model is shown, and the way its calls are run. */
interface Searcher {
  readonly definitions: readonly object[];
  names(): string[];
  run(calls: readonly Call[], options?: object): Promise<CallResult[]>;
}

function searcher({ create, offered, nameOf, response }: TurnAdapter) {
  return (tools: Toolset, defer?: (tool: AgentTool) => boolean): Searcher => {
    const made = create(tools, { defer });
    const definitions = offered(made.definitions);
    return {
      definitions,
      names: () => definitions.map(nameOf),
      run: async (calls, options) => {
        const written = calls.map(({ id = "", name, arguments: args }) => [id, args as object, name] as const);
        return (await made.run(response(undefined, written), options)).results;
      },
    };
  };
}

/** The adapters without a search of their provider. */
const ADAPTERS = Object.entries(TURN_ADAPTERS)
  .filter(([, { search }]) => search === "find_tools")
  .map(([name, adapter]) => [name, searcher(adapter), adapter] as const);

const find = (query: unknown) => ({ name: FIND, arguments: { query } });

/** A local tool that is only there to be found. */
const named = (name: string, description: string, parameters: object = { properties: {} }) =>
  tool({ name, description, parameters: { type: "object", ...parameters }, execute: () => ({ ran: name }) });

describe.each(ADAPTERS)("%s", (adapter, create, { mostTools: most }) => {
  test("a search adds the tools that it finds at the end, and they run", async () => {
    const { tools, emulator, executions } = await bench(everyTool);
    const { definitions, names, run } = create(tools, ({ name }) => name !== COUNT_WORDS);
    expect(names()).toEqual([COUNT_WORDS, FIND]);
    const before = JSON.stringify(definitions);
    const requests = emulator.requests.length;
    const [found] = await run([find("open an issue on GitHub")]);
    expect(found).toMatchObject({ status: "succeeded", tool: undefined });
    expect(found?.text).toMatch(/^You can call these tools now, the best match first: GITHUB_CREATE_AN_ISSUE, /);
    expect(emulator.requests).toHaveLength(requests);
    expect(names().slice(0, 3)).toEqual([COUNT_WORDS, FIND, CREATE_ISSUE]);
    expect(names().length).toBeLessThanOrEqual(7);
    expect(JSON.stringify(definitions).startsWith(before.slice(0, -1))).toBe(true);
    const [made] = await run([{ name: CREATE_ISSUE, arguments: ISSUE }]);
    expect(made?.status).toBe("succeeded");
    expect(executions()).toBe(1);
  });

  test("a search and other calls of a turn are answered in order", async () => {
    const { tools } = await bench(everyTool);
    const { run } = create(tools, every);
    const results = await run([
      { id: "call_a", name: COUNT_WORDS, arguments: { text: "one two" } },
      { id: "call_b", ...find("issue") },
      { id: "call_c", name: CREATE_ISSUE, arguments: ISSUE },
    ]);
    expect(results.map(({ callId, status }) => [callId, status])).toEqual([
      ["call_a", "succeeded"],
      ["call_b", "succeeded"],
      ["call_c", "succeeded"],
    ]);
  });

  test("the policy evaluates the call of a found tool, and no search", async () => {
    const asked: string[] = [];
    const { tools, executions } = await bench({
      ...everyTool,
      policy: deciding(({ tool: { name } }) => {
        asked.push(name);
        return { outcome: "deny", reason: "Issues are frozen." };
      }),
    });
    const { run } = create(tools, every);
    expect((await run([find("create issue")]))[0]?.status).toBe("succeeded");
    const [denied] = await run([{ name: CREATE_ISSUE, arguments: ISSUE }]);
    expect(denied?.text).toContain("Issues are frozen.");
    expect(asked).toEqual([CREATE_ISSUE]);
    expect(executions()).toBe(0);
  });

  test("an approved call of a found tool runs in a process that has found nothing", async () => {
    const { tools, gate, executions } = await gated({ ...everyTool });
    const call = { id: "call_k3j9x", name: CREATE_ISSUE, arguments: ISSUE };
    const first = create(tools, every);
    await first.run([find("create issue")]);
    const [waiting] = await first.run([call]);
    if (!waiting?.pendingApproval) throw new Error("No approval is pending.");
    const token = await gate.approve(waiting.pendingApproval, { approver: "ada" });
    const second = create(tools, every);
    const [approved] = await second.run([call], { approvals: [token] });
    expect(approved?.status).toBe("succeeded");
    expect(executions()).toBe(1);
    expect(second.names()).toEqual([FIND, CREATE_ISSUE]);
  });

  test("arguments that a model guessed are rejected, and the next request has the definition", async () => {
    const { tools, executions } = await bench(everyTool);
    const { names, run } = create(tools, every);
    const [guessed] = await run([{ name: CREATE_ISSUE, arguments: { repository: "octo-org/hello-world" } }]);
    expect(guessed).toMatchObject({ status: "not_run", text: expect.stringContaining("owner: expected") });
    expect(names()).toEqual([FIND, CREATE_ISSUE]);
    expect(executions()).toBe(0);
  });

  test("a call of no tool is told how to find one", async () => {
    const { tools } = await bench(everyTool);
    const { names, run } = create(tools, every);
    const [unknown] = await run([{ name: "GITHUB_CREATE_ISSUE", arguments: ISSUE }]);
    expect(unknown?.text).toBe(
      'There is no tool named "GITHUB_CREATE_ISSUE", so nothing ran. Did you mean GITHUB_CREATE_AN_ISSUE? Find one with find_tools.',
    );
    expect(names()).toEqual([FIND]);
  });

  test("a search without results says what was probably meant, and which toolkits there are", async () => {
    const { tools } = await bench(everyTool);
    const { names, run } = create(tools, every);
    const [typo, strange, empty] = await run([find("isue"), find("frobnicate the \n widgets"), find("")]);
    expect(typo?.text).toBe(
      'No tool matches "isue". Did you mean issue? Toolkits: github, textkit. Search for a toolkit, or for what the tool does.',
    );
    expect(strange?.text).toMatch(/^No tool matches "frobnicate the \\n widgets"\. Toolkits: github, textkit\./);
    expect(empty?.text).toMatch(/^No tool matches ""\. Toolkits/);
    expect(names()).toEqual([FIND]);
  });

  test("a search with wrong arguments is told what is expected", async () => {
    const { tools } = await bench(everyTool);
    const { names, run } = create(tools, every);
    const results = await run([{ name: FIND, arguments: {} }, find(7), { name: FIND, arguments: ["issue"] }]);
    expect(results.map(({ status }) => status)).toEqual(["not_run", "not_run", "not_run"]);
    expect(results[0]?.text).toContain("query");
    expect(results[1]?.text).toContain("query: expected a string");
    expect(names()).toEqual([FIND]);
  });

  test("the same turn, run again, has the same results and adds nothing", async () => {
    const { tools } = await bench(everyTool);
    const { definitions, run } = create(tools, every);
    const [first] = await run([find("issue comments")]);
    const grown = JSON.stringify(definitions);
    const [again] = await run([find("issue comments")]);
    expect(again?.text).toBe(first?.text);
    expect(JSON.stringify(definitions)).toBe(grown);
    const other = create(tools, every);
    await other.run([find("issue comments")]);
    expect(JSON.stringify(other.definitions)).toBe(grown);
  });

  test("nothing is deferred without the option, and nothing searches if nothing is deferred", async () => {
    const { tools } = await bench();
    for (const defer of [undefined, () => false]) {
      expect(create(tools, defer).names()).toEqual([CREATE_ISSUE, COUNT_WORDS]);
    }
  });

  test("a tool with the name of the search is a ConfigError", async () => {
    const { tools } = await bench({ tools: [named(FIND, "Finds hammers.")] });
    expect(() => create(tools, every)).toThrow(`${adapter}: a tool is named find_tools, like the search of defer.`);
    expect(create(tools).names()).toEqual([FIND]);
  });

  test("a search stops adding tools when the provider takes no more", async () => {
    const local = Array.from({ length: most + 8 }, (_, index) => named(`tool_${index}`, `Paints wall${index}.`));
    const { tools } = await bench({ tools: local });
    const { names, run } = create(tools, ({ name }) => Number(name.slice(5)) >= most - 3);
    expect(names()).toHaveLength(most - 2);
    const [some] = await run([find("paints")]);
    expect(some?.text).toBe(
      "You can call these tools now, the best match first: tool_0, tool_1, tool_2, tool_3, tool_4.",
    );
    const [few] = await run([find(`wall${most} wall${most + 1} wall${most + 2}`)]);
    expect(few?.data).toEqual({ tools: [`tool_${most}`, `tool_${most + 1}`] });
    const [none] = await run([find(`wall${most + 3}`)]);
    expect(none?.text).toMatch(/^Tools match, but this conversation has as many as it can\./);
    expect(names()).toHaveLength(most);
  });
});

const MANY = sized(1_000, 5_000);
/** A tool that navigates. */
const WANTED = sized(423, 4_680);

test.each([...ADAPTERS, ["openai", searcher(TURN_ADAPTERS.openai), TURN_ADAPTERS.openai] as const])(
  `with ${MANY} tools, the first turn of %s costs at most a tenth more than with 20`,
  async (_, create) => {
    const { tools: few } = await manyTools(20);
    const { tools: many } = await manyTools(MANY);
    const shown = new Set(few.tools.map(({ name }) => name));
    const tokens = (definitions: unknown) => encode(JSON.stringify(definitions)).length;
    const { definitions } = create(many, ({ name }) => !shown.has(name));
    expect(definitions).toHaveLength(21);
    expect(tokens(definitions)).toBeLessThanOrEqual(tokens(create(few).definitions) * 1.1);
  },
);

test.each(ADAPTERS)(`%s finds one of ${MANY} tools`, async (_, create) => {
  const { tools } = await manyTools(MANY);
  const { names, run } = create(tools, every);
  await run([find(`navigate the browser to a page, ${WANTED}`)]);
  expect(names()[1]).toMatch(new RegExp(`_${WANTED}$`));
  expect(names().length).toBeLessThanOrEqual(6);
});

interface Server {
  readonly name: string;
  readonly tools: readonly { readonly name: string; readonly inputSchema: Readonly<Record<string, unknown>> }[];
}

/** A toolset of so many tools of public MCP servers, repeated under other names. */
async function manyTools(count: number) {
  const servers: readonly Server[] = JSON.parse(
    readFileSync(new URL("../schema/real-tools.json", import.meta.url), "utf8"),
  );
  const real = servers.flatMap(({ name: server, tools }) => tools.map((own) => ({ ...own, server })));
  const records = Array.from({ length: count }, (_, index) => {
    const { name, server, inputSchema } = real[index % real.length] ?? { name: "", server: "", inputSchema: {} };
    const toolkit = `${server.replace(/.*\//, "").replaceAll(/\W/g, "_")}_${index % 250}`.toLowerCase();
    const slug = `${name.replaceAll(/\W/g, "_")}_${index}`.toUpperCase();
    const description = `${name.replaceAll(/\W|_/g, " ")}, as ${server} does it.`;
    return { slug, description, toolkit, version: "20251023_00", tags: [], input_parameters: inputSchema };
  });
  return bench({ tools: [], from: { formatVersion: 1, tools: records } });
}

describe("the search", () => {
  /** The names that a query finds, the best first. */
  const found = async (query: string, local: readonly ReturnType<typeof named>[]) => {
    const { tools } = await bench({ tools: [...local] });
    const { run } = openaiChat(tools, { defer: every });
    const tool_calls = [{ id: "", type: "function", function: { name: FIND, arguments: JSON.stringify({ query }) } }];
    const { results } = await run({ choices: [{ message: { role: "assistant", tool_calls } }] });
    return results[0]?.data === undefined ? [] : (results[0].data as { tools: string[] }).tools;
  };

  const MAIL = [
    named("GMAIL_SEND_EMAIL", "Sends a message."),
    named("GMAIL_SEND_EMAIL_DRAFT", "Sends a draft."),
    named("SLACK_POST", "Sends an email if GitHub is down."),
    named("listRepositories", "Lists repositories of GitHub."),
  ];

  test("words in a name count more than those in a description, and shorter names precede longer ones", async () => {
    expect(await found("send email", MAIL)).toEqual(["GMAIL_SEND_EMAIL", "GMAIL_SEND_EMAIL_DRAFT", "SLACK_POST"]);
  });

  test("a tool's own name finds the tool first", async () => {
    for (const { name } of MAIL) expect((await found(name, MAIL))[0]).toBe(name);
  });

  test("forms of a word, capitals and names written in one word match", async () => {
    expect((await found("sending EMAILS", MAIL))[0]).toBe("GMAIL_SEND_EMAIL");
    expect(await found("repository", MAIL)).toEqual(["listRepositories"]);
    expect(await found("github", MAIL)).toEqual(["SLACK_POST", "listRepositories"]);
    expect(await found("GitHub", MAIL)).toEqual(["SLACK_POST", "listRepositories"]);
  });

  test("the order of the tools changes nothing", async () => {
    const forth = await found("sends a message, a draft or an email", MAIL);
    expect(await found("sends a message, a draft or an email", MAIL.toReversed())).toEqual(forth);
  });

  test("few and small definitions are added, but always the best match", async () => {
    const properties = { text: { type: "string", description: "x".repeat(10_000) } };
    const huge = { text: { type: "string", description: "x".repeat(50_000) } };
    const large = Array.from({ length: 8 }, (_, index) => named(`paint_${index}`, "Paints.", { properties }));
    expect(await found("paint", large)).toEqual(["paint_0", "paint_1"]);
    expect(await found("sketch", [named("sketch", "Sketches.", { properties: huge })])).toEqual(["sketch"]);
    const small = Array.from({ length: 8 }, (_, index) => named(`paint_${index}`, "Paints."));
    expect(await found("paint", small)).toHaveLength(5);
  });

  test("a very long query takes little time", async () => {
    const { tools } = await manyTools(2_000);
    const { run } = openaiChat(tools, { defer: every });
    const query = Array.from({ length: 20_000 }, (_, index) => `wurd${index}`).join(" ");
    const tool_calls = [{ id: "", type: "function", function: { name: FIND, arguments: JSON.stringify({ query }) } }];
    const { results } = await run({ choices: [{ message: { role: "assistant", tool_calls } }] });
    expect(results[0]?.text.length).toBeLessThan(1_000);
  });

  test("a search that the output limit cut off, or that isn't JSON, adds nothing", async () => {
    const { tools } = await bench({ tools: MAIL });
    const { definitions, run } = openaiChat(tools, { defer: every });
    const turn = (args: string, finish_reason: string) => {
      const tool_calls = [{ id: "", type: "function", function: { name: FIND, arguments: args } }];
      return run({ choices: [{ message: { role: "assistant", tool_calls }, finish_reason }] });
    };
    expect((await turn('{"query":"email"}', "length")).results[0]?.text).toContain("was cut off");
    expect((await turn('{"query":', "tool_calls")).results[0]?.text).toContain("aren't valid JSON");
    expect(definitions).toHaveLength(1);
  });

  test("the search's own definition lists toolkits within bounds", async () => {
    const { tools } = await manyTools(MANY);
    const [definition] = openaiChat(tools, { defer: every }).definitions;
    expect(definition?.function).toMatchObject({ name: FIND, strict: true });
    expect(definition?.function.description).toMatch(
      new RegExp(`^Finds tools by words, .* ${MANY} more tools exist\\. Toolkits: .* and \\d+ more\\.$`),
    );
    expect(definition?.function.description.length).toBeLessThan(500);
    expect(openaiChat(tools, { defer: every, strict: false }).definitions[0]?.function.strict).toBe(false);
  });
});

describe("the definition of the search", () => {
  const parameters = {
    type: "object",
    properties: { query: { type: "string", description: "Words for what the tool does." } },
    required: ["query"],
    additionalProperties: false,
  };
  const finder = (description: string, strict: boolean) => {
    return { type: "function", function: { name: FIND, description, parameters, strict } };
  };

  test("says how many tools exist, and of which toolkits", async () => {
    const { tools } = await bench({ ...everyTool, tools: [named("mine", "Mine.")] });
    const count = tools.tools.length;
    const words = `Finds tools by words, so that you can call them. ${count} more tools exist. Toolkits: github, textkit.`;
    expect(openaiChat(tools, { defer: every }).definitions).toEqual([finder(words, true)]);
    expect(openaiChat(tools, { defer: every, strict: false }).definitions).toEqual([finder(words, false)]);
  });

  test("names no toolkit if the tools have none", async () => {
    const { tools } = await bench({ tools: [named("mine", "Mine.")] });
    const words = "Finds tools by words, so that you can call them. 1 more tools exist.";
    expect(openaiChat(tools, { defer: every }).definitions).toEqual([finder(words, true)]);
  });
});
