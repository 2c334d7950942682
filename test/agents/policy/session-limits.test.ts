import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { toolset } from "../../../src/agents/index.js";
import {
  allow,
  ask,
  budget,
  deny,
  dryRun,
  policy,
  type Rule,
  type SessionTool,
} from "../../../src/agents/policy-entry.js";
import { createEmulator } from "../../../src/emulator/index.js";
import { ConfigError, Svc } from "../../../src/index.js";
import { sized } from "../../support/size.js";
import { USER } from "../support.js";

const tool = (slug: string, ...tags: string[]): SessionTool => {
  const toolkit = (slug.split("_")[0] ?? "").toLowerCase();
  return { slug, toolkit: { slug: toolkit, name: toolkit, logo: "" }, tags };
};
const TOOLS = [
  tool("GITHUB_GET_REPO", "readOnlyHint"),
  tool("GITHUB_DELETE_REPO", "destructiveHint"),
  tool("GMAIL_SEND_EMAIL"),
];
const limits = (rules: readonly Rule[], allowed?: "unconditionally" | "conditionally") =>
  policy([...rules, allow({ tools: ["GITHUB_GET_REPO"] })]).forSession(TOOLS, { allowed });
const gmail = { enable: ["GMAIL_SEND_EMAIL"] };

describe("the limits that a policy writes for a session", () => {
  test("enable the tools that are always allowed, and nothing else", () => {
    expect(policy([allow({ tools: ["GITHUB_*"] }), deny({ tags: ["destructiveHint"] })]).forSession(TOOLS)).toEqual({
      toolkits: { enable: ["github"] },
      tools: { github: { enable: ["GITHUB_GET_REPO"] } },
      workbench: { enable: false },
      manage_connections: { enable: false },
      execute: { enable_multi_execute: false },
    });
    expect(limits([allow({})]).tools).toEqual({
      github: { enable: ["GITHUB_GET_REPO", "GITHUB_DELETE_REPO"] },
      gmail,
    });
  });

  const mail = { tools: ["GMAIL_*"] };
  test.each<[string, readonly Rule[], boolean, boolean]>([
    ["allowed for some arguments", [allow({ ...mail, when: () => true })], false, true],
    ["allowed for some arguments, as data", [allow({ ...mail, when: { to: { is: "a" } } })], false, true],
    ["allowed for some users", [allow({ ...mail, users: ["ada"] })], false, true],
    ["allowed for some accounts", [allow({ ...mail, accounts: ["ca_1"] })], false, true],
    ["allowed in some versions", [allow({ ...mail, versions: ["2025*"] })], false, true],
    ["denied for some arguments", [allow(mail), deny({ ...mail, when: () => false })], false, true],
    ["asked about for some arguments", [allow(mail), ask({ ...mail, when: () => false })], false, true],
    ["asked about", [ask(mail)], false, true],
    ["only asked about, for some arguments", [ask({ ...mail, when: { to: { is: "a" } } })], false, true],
    ["only asked about, for some users", [ask({ ...mail, users: ["ada"] })], false, true],
    ["only asked about, for some accounts", [ask({ ...mail, accounts: ["ca_1"] })], false, true],
    ["only asked about, in some versions", [ask({ ...mail, versions: ["2025*"] })], false, true],
    ["denied, and asked about for some users", [deny(mail), ask({ ...mail, users: ["ada"] })], false, false],
    ["dry-run for some users", [allow(mail), dryRun({ ...mail, users: ["ada"] })], false, true],
    ["only dry-run", [dryRun(mail)], false, false],
    ["denied", [allow(mail), deny(mail)], false, false],
    ["not mentioned", [], false, false],
    [
      "counted by a budget, which a session can't enforce",
      [allow(mail), budget({ ...mail, maxCalls: 1 })],
      false,
      true,
    ],
    ["allowed", [allow(mail)], true, true],
  ])("a tool that is %s", (_, rules, always, sometimes) => {
    expect(limits(rules).tools["gmail"]).toEqual(always ? gmail : undefined);
    expect(limits(rules, "unconditionally").tools["gmail"]).toEqual(always ? gmail : undefined);
    expect(limits(rules, "conditionally").tools["gmail"]).toEqual(sometimes ? gmail : undefined);
  });

  test("enable code, connections and multi-execution only if their tools are allowed", () => {
    const named = (...tools: string[]) => limits([allow({ tools })]);
    expect(named("SVC_REMOTE_WORKBENCH", "SVC_REMOTE_BASH_TOOL").workbench).toEqual({ enable: true });
    expect(named("SVC_REMOTE_WORKBENCH").workbench).toEqual({ enable: false });
    expect(named("SVC_REMOTE_BASH_TOOL").workbench).toEqual({ enable: false });
    expect(named("*").workbench).toEqual({ enable: false });
    const code = allow({ tools: ["SVC_REMOTE_WORKBENCH", "SVC_REMOTE_BASH_TOOL"] });
    const asked = ask({ tools: ["SVC_*"] });
    expect(limits([code, asked]).workbench).toEqual({ enable: false });
    expect(limits([code, asked], "conditionally").workbench).toEqual({ enable: true });
    expect(limits([asked], "conditionally").workbench).toEqual({ enable: false });
    expect(named("SVC_MANAGE_CONNECTIONS").manage_connections).toEqual({ enable: true });
    expect(named("SVC_MULTI_EXECUTE_TOOL").execute).toEqual({ enable_multi_execute: true });
  });

  test("keep meta tools from a session whose tags a rule or a budget compares, because the service sets them", () => {
    const all = allow({ tools: ["SVC_*", "SVC_REMOTE_WORKBENCH", "SVC_REMOTE_BASH_TOOL"] });
    const enabled = { workbench: { enable: true }, manage_connections: { enable: true } };
    const disabled = { workbench: { enable: false }, manage_connections: { enable: false } };
    // Inner calls say what one call runs.
    const execute = { enable_multi_execute: true };
    const tags = ["destructiveHint"];
    expect(limits([all])).toMatchObject({ ...enabled, execute });
    for (const rule of [deny({ tags }), ask({ tags }), dryRun({ tags }), budget({ tags, maxCalls: 1 })]) {
      expect(limits([all, rule])).toMatchObject({ ...disabled, execute });
      expect(limits([all, rule], "conditionally")).toMatchObject({ ...enabled, execute });
    }
    expect(limits([allow({ tags: ["readOnlyHint"] })])).toMatchObject({ ...disabled, execute: {} });
  });

  test("allow no meta tool that the toolset of the session denies", async () => {
    const svc = new Svc({ ...createEmulator().connection, env: {} });
    const rules = policy([allow({}), deny({ tags: ["destructiveHint"] })]);
    const known = [];
    for await (const one of svc.tools.list({ toolkit_slug: "textkit" })) known.push(one);
    const session = await svc.toolRouter.create({ user_id: USER, ...rules.forSession(known) });
    const offered: string[] = [];
    for await (const { slug } of session.tools()) offered.push(slug);
    const { tools } = await toolset(session, { policy: rules });
    expect(tools.map(({ name }) => name)).toEqual(offered);
    const denied = tools.filter((tool) => rules.decide({ tool, arguments: {} }).outcome === "deny");
    expect(denied.map(({ name }) => name)).toEqual(["SVC_MULTI_EXECUTE_TOOL"]);
  });

  test("aren't written if nothing is allowed, because a session without limits allows everything", () => {
    expect(() => policy([ask({})]).forSession(TOOLS)).toThrow(ConfigError);
    expect(() => policy([]).forSession(TOOLS, { allowed: "conditionally" })).toThrow(
      "policy: forSession: none of the tools is conditionally allowed.",
    );
  });

  test("are kept by the service", async () => {
    const svc = new Svc({ ...createEmulator().connection, env: {} });
    const tools = [];
    for await (const one of svc.tools.list({ toolkit_slug: "textkit,github" })) tools.push(one);
    const made = policy([allow({ tools: ["TEXTKIT_COUNT_WORDS"] })]);
    const session = await svc.toolRouter.create({ user_id: USER, ...made.forSession(tools) });
    const run = (tool_slug: string, args: object) =>
      session.execute({ tool_slug, arguments: { ...args } }).then(
        ({ error }) => error === null,
        () => false,
      );
    expect(await run("TEXTKIT_COUNT_WORDS", { text: "a b" })).toBe(true);
    expect(await run("TEXTKIT_REVERSE", { text: "a b" })).toBe(false);
    expect(await run("GITHUB_CREATE_AN_ISSUE", { owner: "octo-org", repo: "hello-world", title: "x" })).toBe(false);
    const offered: string[] = [];
    for await (const { slug } of session.tools()) offered.push(slug);
    expect(offered).not.toContain("SVC_REMOTE_BASH_TOOL");
    expect(offered).not.toContain("SVC_MULTI_EXECUTE_TOOL");
    expect(offered).not.toContain("SVC_MANAGE_CONNECTIONS");
  });
});

describe("the limits of random policies", () => {
  /** Facts of a call that a session doesn't know. No rule names the last of each. */
  const facts = ["ada", "bob", "eve"].flatMap((userId) =>
    ["ca_1", "ca_2", "ca_9"].flatMap((accountId) =>
      ["20250101_00", "20260101_00", "20990101_00"].flatMap((version) =>
        [{ to: "a" }, { to: "b" }, {}].map((args) => ({ userId, accountId, version, arguments: args })),
      ),
    ),
  );
  const some = <Value>(...values: Value[]) => fc.option(fc.constantFrom(...values), { nil: undefined, freq: 2 });
  const match = fc
    .record({
      tools: some(["GITHUB_*"], ["*"], ["GMAIL_SEND_EMAIL", "GITHUB_GET_REPO"]),
      toolkits: some(["gmail"], ["git*"]),
      tags: some(["readOnlyHint"], ["destructiveHint"]),
      users: some(["ada"], ["ada", "bob"]),
      accounts: some(["ca_1"], ["ca_1", "ca_2"]),
      versions: some(["2025*"]),
      when: some({ to: { is: "a" } }, { to: { present: true } }),
    })
    .map((fields) => Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)));
  const rule = fc.oneof(
    { weight: 3, arbitrary: match.map(allow) },
    { weight: 3, arbitrary: fc.constant(allow({})) },
    { weight: 2, arbitrary: match.map(ask) },
    match.map(deny),
    match.map(dryRun),
    fc
      .tuple(some(["GITHUB_*"], ["GMAIL_SEND_EMAIL"]), some(["readOnlyHint"]))
      .map(([tools, tags]) => budget({ maxCalls: 1, ...(tools && { tools }), ...(tags && { tags }) })),
  );
  const sometimes = ["allow", "ask"];

  /** How many of the calls of a tool a rule matches: each rule alone, over all facts. */
  function matches(one: Rule, { slug, toolkit, tags }: SessionTool): "none" | "some" | "all" {
    const alone = policy([one]);
    const matched = facts.filter(({ version, ...call }) => {
      const called = { name: slug, toolkit: toolkit.slug, tags, version, kind: "service" } as const;
      return alone.explain({ tool: called, ...call }).trace.some((trace) => trace.matched);
    });
    return matched.length === 0 ? "none" : matched.length === facts.length ? "all" : "some";
  }

  function enabled(rules: readonly Rule[], allowed: "conditionally" | "unconditionally"): string[] {
    try {
      return Object.values(policy(rules).forSession(TOOLS, { allowed }).tools).flatMap(({ enable }) => enable);
    } catch (error) {
      expect(error).toBeInstanceOf(ConfigError);
      return [];
    }
  }

  test("enable what an independent model enables", () => {
    const counts = { conditionally: 0, unconditionally: 0 };
    fc.assert(
      fc.property(fc.array(rule, { maxLength: 4 }), (rules) => {
        const kindOf = (one: Rule) => Object.keys(one)[0] ?? "";
        for (const allowed of ["conditionally", "unconditionally"] as const) {
          const expected = TOOLS.filter((one) => {
            const found = rules.map((each) => ({ kind: kindOf(each), matched: matches(each, one) }));
            const isCounted = rules.some((each) => {
              const { tools = ["*"], tags = one.tags } = "budget" in each ? each.budget : { tools: [] };
              const isNamed = tools.some((name) => new RegExp(`^${name.replace("*", ".*")}$`).test(one.slug));
              return isNamed && (tags === one.tags || tags.some((tag) => one.tags.includes(tag)));
            });
            if (allowed === "unconditionally") {
              const isRestricted = found.some(({ kind, matched }) => kind !== "allow" && matched !== "none");
              return (
                !isRestricted && !isCounted && found.some(({ kind, matched }) => kind === "allow" && matched === "all")
              );
            }
            const isStopped = found.some(({ kind, matched }) => ["deny", "dryRun"].includes(kind) && matched === "all");
            return !isStopped && found.some(({ kind, matched }) => sometimes.includes(kind) && matched !== "none");
          }).map(({ slug }) => slug);
          counts[allowed] += expected.length;
          expect(enabled(rules, allowed).sort(), allowed).toEqual(expected.sort());
        }
      }),
      { numRuns: sized(40, 5_000) },
    );
    expect(counts.conditionally).toBeGreaterThan(counts.unconditionally);
    expect(counts.unconditionally).toBeGreaterThan(0);
  });
});
