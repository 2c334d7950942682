import { describe, expect, test } from "vitest";
import { z } from "zod";
import { z as z3 } from "zod/v3";
import { openai } from "../../../src/agents/adapters/openai.js";
import { type ClientToolsetOptions, memoryExecutions, tool, toolset } from "../../../src/agents/index.js";
import { policy } from "../../../src/agents/policy-entry.js";
import { makeLock } from "../../../src/catalog/lock/lock-file.js";
import { readCatalog } from "../../../src/catalog/read-catalog.js";
import { argumentValidator } from "../../../src/contract/arguments.js";
import { createEmulator } from "../../../src/emulator/index.js";
import { ConfigError, Svc, type SvcOptions, ToolLockError, toolLock } from "../../../src/index.js";
import { rejectionOf } from "../../support/client.js";
import { bench, COUNT_WORDS, CREATE_ISSUE, ISSUE, USER } from "../support.js";

const namesOf = ({ tools }: { readonly tools: readonly { readonly name: string }[] }) => tools.map(({ name }) => name);
const DEPRECATED = "GITHUB_GET_A_REPOSITORY_ARCHIVE";

const shout = tool({
  name: "shout",
  description: "Writes a string in capitals.",
  parameters: z.object({ text: z.string() }),
  execute: ({ text }) => ({ text: text.toUpperCase() }),
});

describe("the tools of a toolset", () => {
  test("are the named ones, in the order of their names", async () => {
    const { tools, emulator } = await bench({ tools: [COUNT_WORDS, CREATE_ISSUE] });
    expect(namesOf(tools)).toEqual([COUNT_WORDS, CREATE_ISSUE]);
    expect(emulator.requests.map(({ operation }) => operation)).toEqual(["tools.list"]);
  });

  test("are those of toolkits, with one request per page and none twice", async () => {
    const { tools, emulator } = await bench({ tools: [CREATE_ISSUE], toolkits: ["textkit", "github"] });
    expect(namesOf(tools)[0]).toBe(CREATE_ISSUE);
    expect(new Set(namesOf(tools)).size).toBe(tools.tools.length);
    expect(namesOf(tools)).toContain("TEXTKIT_REVERSE");
    expect(emulator.requests).toHaveLength(2);
  });

  test("are read with one request per page", async () => {
    const many = Array.from({ length: 620 }, (_, index) => ({
      slug: `CRATES_TOOL_${index}`,
      name: `Tool ${index}`,
      description: "Does something.",
      input: { type: "object", properties: {} },
      output: { type: "object", properties: {} },
      run: () => ({}),
    }));
    const crates = {
      slug: "crates",
      name: "Crates",
      description: "-",
      categories: [],
      auth: [],
      versions: {},
      tools: many,
    };
    const all = await bench({ tools: [], toolkits: ["crates"] }, { toolkits: [crates] });
    expect([all.tools.tools.length, all.emulator.requests.length]).toEqual([620, 2]);
    const slugs = many.map(({ slug }) => slug);
    const named = await bench({ tools: slugs.toReversed() }, { toolkits: [crates] });
    expect(namesOf(named.tools)).toEqual(slugs.toReversed());
    // So many names are longer than a URL may be.
    expect(named.emulator.requests.length).toBeLessThan(6);
  });

  test("are those with a tag or found by a search, up to the limit", async () => {
    const tagged = await bench({ tools: [], toolkits: ["textkit"], tags: ["important"] });
    expect(namesOf(tagged.tools)).toEqual([COUNT_WORDS]);
    const found = await bench({ tools: [], search: "words" });
    expect(namesOf(found.tools)).toEqual([COUNT_WORDS]);
    const limited = await bench({ tools: [], toolkits: ["textkit"], limit: 1 });
    expect(limited.tools.tools).toHaveLength(1);
    expect(limited.emulator.requests).toHaveLength(1);
  });

  test("are an empty array for an empty list, as of a user without accounts", async () => {
    const { tools, emulator } = await bench({ tools: [], toolkits: [] });
    expect(tools.tools).toEqual([]);
    expect((await bench({ tools: [], toolkits: ["github"], tags: [] })).tools.tools).toEqual([]);
    expect(emulator.requests).toEqual([]);
    await rejectionOf(ConfigError, bench({ tools: [], search: "" }));
  });

  test("omit deprecated ones unless they are named", async () => {
    const { tools } = await bench({ tools: [], toolkits: ["github"] });
    expect(namesOf(tools)).not.toContain(DEPRECATED);
    const named = await bench({ tools: [DEPRECATED] });
    expect(namesOf(named.tools)).toEqual([DEPRECATED]);
  });

  test("have their locked versions", async () => {
    const { svc } = await bench();
    const lock = await makeLock(
      await readCatalog(svc, { toolkits: ["textkit"], versions: { textkit: "20250115_00" } }),
    );
    const { tools } = await bench({ tools: [], lock });
    expect(new Set(tools.tools.map(({ version }) => version))).toEqual(new Set(["20250115_00"]));
    await rejectionOf(ToolLockError, bench({ tools: ["TEXTKIT_REVERSE"], lock: { ...lock, toolkits: {}, tools: {} } }));
  });

  test("are read from a serialized toolset without a request, and run", async () => {
    const online = await bench({ tools: [COUNT_WORDS, shout] });
    const from = JSON.parse(JSON.stringify(online.tools));
    const { tools, emulator } = await bench({ tools: [shout], from });
    expect(emulator.requests).toHaveLength(0);
    expect(namesOf(tools)).toEqual([COUNT_WORDS, "shout"]);
    const [result] = await tools.run([{ callId: "1", name: COUNT_WORDS, arguments: { text: "a b c" } }]);
    expect(result?.data).toMatchObject({ words: 3 });
  });

  test("include those of an agent session, which runs meta tools and others", async () => {
    const emulator = createEmulator();
    const svc = new Svc({ ...emulator.connection, env: {} });
    const session = await svc.toolRouter.create({
      user_id: USER,
      toolkits: { enable: ["github", "textkit"] },
      preload: { tools: [COUNT_WORDS] },
    });
    const tools = await toolset(session);
    expect(namesOf(tools)).toEqual(expect.arrayContaining(["SVC_SEARCH_TOOLS", COUNT_WORDS]));
    const [search, count] = await tools.run([
      { callId: "1", name: "SVC_SEARCH_TOOLS", arguments: { queries: [{ use_case: "count words" }] } },
      { callId: "2", name: COUNT_WORDS, arguments: { text: "one two" } },
    ]);
    expect(search).toMatchObject({ status: "succeeded", tool: { kind: "meta" } });
    expect(count?.data).toMatchObject({ words: 2 });
    const operations = emulator.requests.map(({ operation }) => operation);
    expect(operations).toEqual(expect.arrayContaining(["toolRouter.executeMeta", "toolRouter.execute"]));
    await rejectionOf(ConfigError, toolset(session, { tools: [CREATE_ISSUE] }));
    expect(namesOf(await toolset(session, { toolkits: ["textkit"] }))).toEqual([COUNT_WORDS]);
    expect(namesOf(await toolset(session, { toolkits: ["textkit"], tags: ["destructiveHint"] }))).toEqual([]);
    // The session lists no tools of it, so the model would have none.
    const { message } = await rejectionOf(ConfigError, toolset(session, { toolkits: ["github"] }));
    expect(message).toBe("toolset: no tools of github. Preload it in the session.");
    const misspelled = await rejectionOf(ConfigError, toolset(session, { tools: ["TEXTKIT_COUNT_WORD"] }));
    expect(misspelled.message).toBe(`toolset: no tool TEXTKIT_COUNT_WORD. Did you mean ${COUNT_WORDS}?`);
    // @ts-expect-error: a session knows the versions of its tools.
    await rejectionOf(ConfigError, toolset(session, { versions: { textkit: "20250115_00" } }));
  });

  test("are rejected if none are chosen, one is missing, two have one name or the user is missing", async () => {
    const svc = new Svc({ ...createEmulator().connection, env: {} });
    await rejectionOf(ConfigError, bench({ tools: [] }));
    expect((await rejectionOf(ConfigError, bench({ tools: ["GITHUB_NOTHING"] }))).message).toContain("GITHUB_NOTHING");
    await rejectionOf(ConfigError, bench({ tools: [shout, shout] }));
    const misspelled = await rejectionOf(ConfigError, bench({ tools: [], toolkits: ["textkit", "githubb1"] }));
    expect(misspelled.message).toBe("toolset: no tools of githubb1. Did you mean github?");
    const unknown = await rejectionOf(ConfigError, bench({ tools: [], toolkits: ["textkit", "gitlab-issues"] }));
    expect(unknown.message).toBe("toolset: no tools of gitlab-issues. Check its slug and version.");
    const typo = await rejectionOf(ConfigError, bench({ tools: [COUNT_WORDS, "GITHUB_CRAETE_AN_ISSUE"] }));
    expect(typo.message).toBe(`toolset: no tool GITHUB_CRAETE_AN_ISSUE. Did you mean ${CREATE_ISSUE}?`);
    const versions = { github: "20200101_00" };
    const old = await rejectionOf(ConfigError, bench({ tools: [CREATE_ISSUE], versions }));
    expect(old.message).toBe(`toolset: no tool ${CREATE_ISSUE}. It exists, but not in the chosen version.`);
    // @ts-expect-error: a toolset needs a client or a session.
    await rejectionOf(ConfigError, toolset());
    // @ts-expect-error: a promise of a session isn't one.
    const unawaited = await rejectionOf(ConfigError, toolset(svc.toolRouter.create({ user_id: USER })));
    expect(unawaited.message).toBe("toolset: await the client or the session before you pass it.");
    // @ts-expect-error: a client's tools run for a user.
    await rejectionOf(ConfigError, toolset(svc, { tools: [COUNT_WORDS] }));
  });
});

describe("the versions of a toolset's tools", () => {
  const OLD = "20250905_00";
  const clientOf = (options: Partial<SvcOptions>) => {
    const emulator = createEmulator();
    return { emulator, svc: new Svc({ ...emulator.connection, env: {}, ...options }) };
  };
  const versionsOf = async (svc: Svc, options: Partial<ClientToolsetOptions> = {}) => {
    const { tools } = await toolset(svc, { userId: USER, tools: [CREATE_ISSUE], ...options });
    return Object.fromEntries(tools.map(({ name, version }) => [name, version]));
  };
  const lock = {
    formatVersion: 1,
    toolkits: { github: { version: OLD } },
    tools: { [CREATE_ISSUE]: { toolkit: "github", version: OLD, hash: "-", textHash: "-" } },
  };

  test("are those that the client pins for their toolkits, and they run in them", async () => {
    const { svc, emulator } = clientOf({ toolkitVersions: { github: OLD } });
    const tools = await toolset(svc, { userId: USER, tools: [CREATE_ISSUE] });
    expect(tools.tools[0]?.version).toBe(OLD);
    expect(await tools.run([{ callId: "1", name: CREATE_ISSUE, arguments: ISSUE }])).toMatchObject([
      { status: "succeeded" },
    ]);
    expect(JSON.parse(emulator.requests.at(-1)?.body ?? "")).toMatchObject({ version: OLD });
    expect(await versionsOf(svc, { tools: [], toolkits: ["github"] })).toMatchObject({ [CREATE_ISSUE]: OLD });
  });

  test.each([[false], [true]])("are those of the client's lock, with required: %s", async (required) => {
    const { svc } = clientOf({ use: [toolLock(lock, { rejectUnlocked: required })] });
    expect(await versionsOf(svc)).toEqual({ [CREATE_ISSUE]: OLD });
  });

  test("are those that the client pins for single tools", async () => {
    const { svc } = clientOf({ toolVersions: { [CREATE_ISSUE]: OLD } });
    expect(await versionsOf(svc)).toEqual({ [CREATE_ISSUE]: OLD });
    const ofToolkit = await versionsOf(svc, { tools: [], toolkits: ["github"] });
    expect(ofToolkit).toMatchObject({ [CREATE_ISSUE]: OLD, GITHUB_GET_AN_ISSUE: "20251023_00" });
  });

  test("are the toolset's own if it has some, whatever the client pins", async () => {
    const { svc } = clientOf({ toolVersions: { [CREATE_ISSUE]: OLD }, toolkitVersions: { github: OLD } });
    expect(await versionsOf(svc, { versions: { github: "20251023_00" } })).toEqual({ [CREATE_ISSUE]: "20251023_00" });
  });
});

describe("a toolkit that options name", () => {
  test.each<[Partial<ClientToolsetOptions>, string]>([
    // Without the check, the call would run through the user's newest account.
    [{ accounts: { GITHUB: "ca_x" } }, "toolset: no tools of GITHUB. Did you mean github?"],
    [{ accounts: { githbu: "ca_x" }, search: "issue" }, "toolset: no tools of githbu. Did you mean github?"],
    [{ versions: { githbu: "20250905_00" } }, "toolset: no tools of githbu. Did you mean github?"],
  ])("is one that a tool belongs to: %j", async (options, message) => {
    expect((await rejectionOf(ConfigError, bench({ tools: [CREATE_ISSUE], ...options }))).message).toBe(message);
  });

  test("may be another one's, as several toolsets may share them", async () => {
    const accounts = { github: "ca_x", gitlab: "ca_y", slack: "ca_z" };
    const { tools } = await bench({ tools: [CREATE_ISSUE], accounts, versions: { slack: "20250905_00" } });
    expect(namesOf(tools)).toEqual([CREATE_ISSUE]);
  });

  test("may have no tools among those that a filter found", async () => {
    const { tools } = await bench({ tools: [], search: "words", accounts: { github: "ca_x" } });
    expect(namesOf(tools)).toEqual([COUNT_WORDS]);
  });

  test("isn't needed with a serialized toolset, except for accounts", async () => {
    const { tools } = await bench({ tools: [CREATE_ISSUE] });
    const from = tools.toJSON();
    expect(namesOf((await bench({ tools: [], toolkits: ["githbu"], from })).tools)).toEqual([CREATE_ISSUE]);
    await rejectionOf(ConfigError, bench({ tools: [], accounts: { githbu: "ca_x" }, from }));
  });
});

const NOT_A_POLICY = "toolset: policy must be a policy from policy() or customPolicy() of this copy of svc-sdk.";

describe("the options of a toolset", () => {
  test.each([
    // Without the check, every call would be allowed.
    [{ polcy: policy([]) }, "toolset: Unknown option polcy. Did you mean policy?"],
    [{ userID: USER }, "toolset: Unknown option userID. Did you mean userId?"],
    [{ policy: [] }, NOT_A_POLICY],
    [{ policy: null }, NOT_A_POLICY],
    [{ approvals: {} }, "toolset: approvals must be an object with resolve()."],
    [{ tools: COUNT_WORDS }, "toolset: tools must be an array."],
    [{ toolkits: "textkit" }, "toolset: toolkits must be an array."],
    [{ tags: "readOnlyHint" }, "toolset: tags must be an array."],
    // Without the check, arguments would be sent unchecked.
    [{ validateArguments: argumentValidator }, "toolset: validateArguments must be an object with check()."],
    [{ executions: memoryExecutions }, "toolset: executions must be an object with start()."],
    [{ onAuthRequired: "trow" }, 'toolset: onAuthRequired must be "throw" or a function.'],
    [{ resultFiles: "handel" }, 'toolset: resultFiles must be "handle" or "bytes" or "link".'],
    [{ userId: 5 }, "toolset: userId must be a string."],
    [{ onEvent: "log" }, "toolset: onEvent must be a function."],
    [{ maxResultBytes: "64 KiB" }, "toolset: maxResultBytes must be an integer of at least 1024."],
    [{ maxResultBytes: Number.POSITIVE_INFINITY }, "toolset: maxResultBytes must be an integer of at least 1024."],
    [{ maxResultBytes: 1_500.5 }, "toolset: maxResultBytes must be an integer of at least 1024."],
    [{ maxTurnBytes: 1_000 }, "toolset: maxTurnBytes must be an integer of at least 1024."],
    [{ accounts: "ca_1" }, 'toolset: accounts must be "newest" or a plain object.'],
    [{ lock: { default: { tools: {} } } }, "toolset: pass the parsed svc.lock.json."],
    [{ files: {} }, "toolset: files must be an object with upload()."],
  ])("are checked before anything is read: %j", async (wrong, message) => {
    const emulator = createEmulator();
    const svc = new Svc({ ...emulator.connection, env: {} });
    // As a JavaScript program would pass them.
    const options = { userId: USER, tools: [COUNT_WORDS], ...wrong } as unknown as ClientToolsetOptions;
    expect((await rejectionOf(ConfigError, toolset(svc, options))).message).toBe(message);
    expect(emulator.requests).toEqual([]);
  });

  test("don't make up for a missing await: a promise of a toolset is rejected by an adapter, which says to await it", () => {
    const svc = new Svc({ ...createEmulator().connection, env: {} });
    const promised = toolset(svc, { userId: USER, tools: [COUNT_WORDS] });
    // @ts-expect-error: a toolset is what the promise resolves to.
    expect(() => openai(promised)).toThrow("Await toolset().");
    return promised;
  });
});

test("a misspelled option of a run is rejected, and nothing runs", async () => {
  const { tools, executions } = await bench();
  const call = { callId: "1", name: CREATE_ISSUE, arguments: ISSUE };
  // @ts-expect-error: a JavaScript program may misspell it.
  const error = await rejectionOf(ConfigError, tools.run([call], { dryrun: true }));
  expect(error.message).toBe("toolset: Unknown option dryrun. Did you mean dryRun?");
  expect(executions()).toBe(0);
});

describe("a local tool", () => {
  test("is rejected if its schema has a type without JSON Schema, with the tool's name", async () => {
    const parameters = z.object({ due: z.coerce.date().optional() });
    const remind = { name: "remind", description: "Reminds.", parameters, execute: () => "done" };
    expect((await rejectionOf(ConfigError, bench({ tools: [remind] }))).message).toMatch(
      /^toolset: the parameters of remind aren't a JSON Schema .*Date/,
    );
  });

  test.each([[undefined], [""], [{ description: "Nothing.", parameters: {}, execute: () => 1 }]])(
    "is rejected without a name: %j",
    async (nameless) => {
      // @ts-expect-error: a JavaScript program may pass a missing environment variable.
      await rejectionOf(ConfigError, bench({ tools: [nameless] }));
    },
  );

  test.each<[string, object]>([
    ["of Zod 3", z3.object({ cents: z3.number().max(500) })],
    ["of a library without JSON Schema", { "~standard": { version: 1, vendor: "v", validate: () => ({ value: 1 }) } }],
  ])("is rejected with a schema that doesn't convert to JSON Schema: %s", async (_, parameters) => {
    const refund = { name: "refund", description: "Refunds.", parameters, execute: () => "paid" };
    // @ts-expect-error: a JavaScript program may pass anything.
    expect((await rejectionOf(ConfigError, bench({ tools: [refund] }))).message).toContain(
      "toolset: the parameters of refund aren't a JSON Schema of an object or Zod 4.2.",
    );
  });

  test("is rejected without a function to execute", async () => {
    const refund = { name: "refund", description: "Refunds.", parameters: { type: "object" }, handler: () => "paid" };
    // @ts-expect-error: a JavaScript program may forget it.
    expect((await rejectionOf(ConfigError, bench({ tools: [refund] }))).message).toBe(
      "toolset: refund has no execute().",
    );
  });

  test("returns dates, URLs and other values as JSON writes them", async () => {
    const result = { at: new Date(0), links: [new URL("https://example.com/a")] };
    const now = tool({ name: "now", description: "Now.", parameters: { type: "object" }, execute: () => result });
    const { tools } = await bench({ tools: [now] });
    const [ran] = await tools.run([{ callId: "1", name: "now", arguments: {} }]);
    expect(ran).toMatchObject({ text: JSON.stringify(result), data: result });
  });

  test("runs with the arguments as its schema parsed them", async () => {
    const greet = tool({
      name: "greet",
      description: "Greets.",
      parameters: z.object({ name: z.string().min(2), greeting: z.string().default("Hello") }),
      execute: ({ name, greeting }) => `${greeting}, ${name}`,
    });
    const { tools } = await bench({ tools: [greet] });
    const run = async (args: object) =>
      (await tools.run([{ callId: JSON.stringify(args), name: "greet", arguments: args }]))[0];
    expect((await run({ name: "Ada" }))?.data).toBe("Hello, Ada");
    expect(await run({ name: "A" })).toMatchObject({ status: "not_run", mismatches: [{ path: "name" }] });
  });

  test("accepts a plain JSON Schema, and reports errors it throws", async () => {
    const fail = tool({
      name: "fail",
      description: "Fails.",
      parameters: { type: "object", properties: {} },
      execute: () => {
        throw new Error("the disk is full");
      },
    });
    const { tools } = await bench({ tools: [fail] });
    const [result] = await tools.run([{ callId: "1", name: "fail", arguments: "" }]);
    expect(result).toMatchObject({ status: "unknown", text: expect.stringContaining("the disk is full") });
  });
});
