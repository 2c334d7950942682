import { describe, expect, test } from "vitest";
import {
  allow,
  ask,
  budget,
  deny,
  dryRun,
  policy,
  type Rule,
  type SessionTool,
} from "../../../src/agents/policy/index.js";
import { createEmulator } from "../../../src/emulator/index.js";
import { ConfigError, Svc } from "../../../src/index.js";
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
    expect(named("SVC_MANAGE_CONNECTIONS").manage_connections).toEqual({ enable: true });
    expect(named("SVC_MULTI_EXECUTE_TOOL").execute).toEqual({ enable_multi_execute: true });
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
