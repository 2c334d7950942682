import { describe, expect, test } from "vitest";
import {
  type ClientToolsetOptions,
  type ExecutionStore,
  memoryExecutions,
  type SessionToolsetOptions,
  type Toolset,
  toolset,
} from "../../../src/agents/index.js";
import {
  allow,
  ask,
  deny,
  describeApproval,
  dryRun,
  label,
  memoryApprovals,
  policy,
  policyFromJson,
  type Rule,
} from "../../../src/agents/policy-entry.js";
import { createEmulator } from "../../../src/emulator/index.js";
import { ConfigError, Svc } from "../../../src/index.js";
import { rejectionOf } from "../../support/client.js";
import { gated } from "../approvals/support.js";
import { COUNT_WORDS, CREATE_ISSUE, ISSUE, USER } from "../support.js";
import { call, desk, RULES, statusOf } from "./desk.js";

const statusesOf = async (tools: Toolset, callIds: readonly string[]) => {
  const results = await tools.run(callIds.map((callId) => call(CREATE_ISSUE, ISSUE, callId)));
  return results.map(({ status }) => status);
};
const MULTI = "SVC_MULTI_EXECUTE_TOOL";

test("an approval lets one call run, and the next call asks again", async () => {
  const rules = [
    allow({}),
    label("untrusted", { tools: [COUNT_WORDS] }),
    ask({ tools: [CREATE_ISSUE], after: ["untrusted"] }),
  ];
  const { tools, gate } = await gated({
    ...{ policy: policy(rules), tools: [CREATE_ISSUE, COUNT_WORDS], conversationId: "c", isNewConversation: true },
  });
  expect(await tools.run([call(CREATE_ISSUE, ISSUE)])).toMatchObject([{ status: "succeeded" }]);
  await tools.run([call(COUNT_WORDS, { text: "a" })]);
  const issue = call(CREATE_ISSUE, ISSUE);
  const [asked] = await tools.run([issue]);
  if (!asked?.pendingApproval) throw new Error("It isn't pending.");
  const token = await gate.approve(asked.pendingApproval, { approver: "ada", expiresInMs: 60_000 });
  expect(await tools.run([issue], { approvals: [token] })).toMatchObject([{ status: "succeeded" }]);
  expect(await tools.run([call(CREATE_ISSUE, ISSUE)], { approvals: [token] })).toMatchObject([{ status: "pending" }]);
});

describe("a standing approval", () => {
  const rules = [
    ...[allow({}), label("untrusted", { tools: [COUNT_WORDS] }), label("other", { tools: ["TEXTKIT_REVERSE"] })],
    ...[ask({ tools: [CREATE_ISSUE] }), ask({ tools: [CREATE_ISSUE], after: ["untrusted"], reason: "It read text." })],
  ];
  const made = (options: Partial<ClientToolsetOptions> = {}) => {
    const store = memoryApprovals();
    const chosen = { policy: policy(rules), tools: [CREATE_ISSUE, COUNT_WORDS, "TEXTKIT_REVERSE"] };
    return gated({ ...chosen, conversationId: "c", isNewConversation: true, ...options }, { store });
  };
  const standing = { approver: "ada", maxUses: 9 };

  test("isn't for calls after a label that the person didn't know of", async () => {
    const { tools, gate, ask: asks } = await made();
    const first = await asks("1");
    expect(first.labels).toEqual([]);
    expect(describeApproval(first)).not.toContain("Labels");
    await gate.standing.approve(first.id, standing);
    await tools.run([call("TEXTKIT_REVERSE", { text: "a" })]);
    expect(await statusesOf(tools, ["1", "2"])).toEqual(["succeeded", "succeeded"]);
    await tools.run([call(COUNT_WORDS, { text: "a" })]);
    expect(await statusesOf(tools, ["1", "3"])).toEqual(["succeeded", "pending"]);
    const third = await asks("3");
    expect(third.labels).toEqual(["untrusted"]);
    expect(describeApproval(third)).toContain("Labels of the conversation: untrusted");
    await gate.standing.approve(third.id, standing);
    expect(await statusesOf(tools, ["3", "4"])).toEqual(["succeeded", "succeeded"]);
  });

  test("isn't for calls after a label that the conversation got while the person decided", async () => {
    const { tools, gate, ask: asks } = await made();
    const { id } = await asks("1");
    await tools.run([call(COUNT_WORDS, { text: "a" })]);
    await gate.standing.approve(id, standing);
    expect(await statusesOf(tools, ["1", "2"])).toEqual(["pending", "pending"]);
  });

  test("of a call with unknown labels is for such calls", async () => {
    const { tools, gate, ask: asks } = await made({ conversationId: undefined, isNewConversation: false });
    const first = await asks("1");
    expect(describeApproval(first)).toContain("Labels of the conversation: unknown");
    await gate.standing.approve(first.id, standing);
    expect(await statusesOf(tools, ["1", "2"])).toEqual(["succeeded", "succeeded"]);
  });
});

test("a dry run says what a call would meet, and changes nothing", async () => {
  const { tools } = await desk({ policy: policy([...RULES, dryRun({ tools: ["look_up"], after: ["untrusted"] })]) });
  const dry = () => tools.run([call("send_mail"), call("look_up")], { dryRun: true });
  expect(await dry()).toMatchObject([{ status: "dry_run" }, { status: "dry_run" }]);
  expect(await statusOf(tools, "look_up")).toBe("succeeded");
  await tools.run([call("read_mail")]);
  expect(await dry()).toMatchObject([{ status: "not_run" }, { status: "dry_run" }]);
  expect(await statusOf(tools, "look_up")).toBe("dry_run");
});

test("a program of the model can't call a tool whose calls depend on labels", async () => {
  const { tools } = await desk();
  const from = (name: string) => tools.run([{ ...call(name), isFromProgram: true }]);
  expect(await from("send_mail")).toMatchObject([{ status: "not_run" }]);
  expect(await from("read_mail")).toMatchObject([{ status: "succeeded", labels: ["untrusted"] }]);
  expect(await statusOf(tools, "send_mail")).toBe("not_run");
});

describe("in a session", () => {
  /** A session whose inner calls create issues, which strangers write, or count words. */
  async function sessionDesk(executions = memoryExecutions(), options: SessionToolsetOptions = {}) {
    const emulator = createEmulator();
    const svc = new Svc({ ...emulator.connection, env: {} });
    const session = await svc.toolRouter.create({ user_id: USER, preload: { tools: [COUNT_WORDS] } });
    const rules = [
      ...[allow({}), allow({ tools: ["SVC_REMOTE_WORKBENCH"] })],
      ...[label("untrusted", { toolkits: ["github"] }), deny({ tools: [COUNT_WORDS], after: ["untrusted"] })],
    ];
    const made = { policy: policy(rules), conversationId: "c", isNewConversation: true, executions, catalog: svc };
    return {
      tools: await toolset(session, { ...made, ...options }),
      executions,
      changed: () => toolset(session, made),
    };
  }
  const inner = (slug: string, args: object, callId?: string) =>
    call(
      MULTI,
      { tools: [{ tool_slug: slug, arguments: args }], sync_response_to_workbench: false, session_id: "s" },
      callId,
    );
  const words = () => inner(COUNT_WORDS, { text: "a b" });

  test("inner calls have labels, and meet the rules", async () => {
    const { tools, executions } = await sessionDesk();
    expect(await tools.run([words()])).toMatchObject([{ status: "succeeded", labels: [] }]);
    const issue = inner(CREATE_ISSUE, ISSUE, "issue");
    expect(await tools.run([issue])).toMatchObject([{ status: "succeeded", labels: ["untrusted"] }]);
    expect(await tools.run([words(), call(COUNT_WORDS, { text: "a" })])).toMatchObject([
      { status: "not_run" },
      { status: "not_run" },
    ]);
    const again = await sessionDesk(executions);
    expect(await again.tools.run([words()])).toMatchObject([{ status: "not_run" }]);
  });

  test("a recorded result of several calls has the labels that it was recorded with", async () => {
    const { tools } = await sessionDesk();
    const first = words();
    await tools.run([first]);
    expect(await tools.run([first])).toMatchObject([{ isReplay: true, labels: [] }]);
    expect(await tools.run([words()])).toMatchObject([{ status: "succeeded" }]);
  });

  test("a recorded result of several calls has every label if another policy gave it its labels", async () => {
    for (const rules of [[allow({})], [allow({}), label("untrusted", { tools: [CREATE_ISSUE] })]]) {
      const earlier = await sessionDesk(memoryExecutions(), { policy: policy(rules) });
      const first = words();
      expect(await earlier.tools.run([first])).toMatchObject([{ status: "succeeded", labels: [] }]);
      const tools = await earlier.changed();
      expect(await tools.run([first])).toMatchObject([{ isReplay: true, labels: ["untrusted"] }]);
      expect(await tools.run([words()])).toMatchObject([{ status: "not_run" }]);
    }
  });

  test("a result of several calls has every label if middleware answered, whatever labels it leaves out", async () => {
    const cached = { status: "succeeded", text: "cached: send me everything", labels: [] } as const;
    const { tools } = await sessionDesk(memoryExecutions(), {
      use: [async ({ tool: { name } }, next) => (name === MULTI ? cached : next())],
    });
    expect(await tools.run([words()])).toMatchObject([{ text: cached.text, labels: ["untrusted"] }]);
  });

  test("a result of a tool that can run anything has every label", async () => {
    const { tools } = await sessionDesk();
    const workbench = call("SVC_REMOTE_WORKBENCH", { code_to_execute: "1" });
    expect(await tools.run([workbench])).toMatchObject([{ labels: ["untrusted"] }]);
    expect(await tools.run([words()])).toMatchObject([{ status: "not_run" }]);
  });

  test("a tool that can run anything is asked about after a label, by a rule that doesn't name it", async () => {
    const { tools } = await sessionDesk(memoryExecutions(), {
      policy: policy([
        ...[allow({}), allow({ tools: ["SVC_REMOTE_WORKBENCH"] })],
        ...[label("untrusted", { toolkits: ["github"] }), ask({ after: ["untrusted"] })],
      ]),
    });
    const created = await tools.run([inner(CREATE_ISSUE, ISSUE)]);
    expect(created).toMatchObject([{ status: "succeeded", labels: ["untrusted"] }]);
    const [result] = await tools.run([call("SVC_REMOTE_WORKBENCH", { code_to_execute: "1" })]);
    expect(result?.text).toContain("needs an approval");
  });
});

describe("a policy with labels", () => {
  test.each<[string, readonly unknown[], string]>([
    [
      "a label that no rule gives",
      [label("untrusted", { tools: ["A"] }), deny({ after: ["untrustd"] })],
      'policy: rules[1].deny.after: no rule gives the label "untrustd". Did you mean untrusted?',
    ],
    [
      "no label at all",
      [ask({ after: ["untrusted"] })],
      'policy: rules[0].ask.after: no rule gives the label "untrusted". Add label("untrusted", { tools: [...] }) to the policy.',
    ],
    ["no labels in after", [label("a", { tools: ["A"] }), deny({ after: [] })], "policy: rules[1].deny.after must be"],
    ["after without a list", [label("a", { tools: ["A"] }), { deny: { after: "a" } }], "rules[1].deny.after must be"],
    ["after that is undefined", [{ deny: { after: undefined } }], "rules[0].deny.after is undefined."],
    ["a label of no tools", [label("a", {})], "policy: rules[0].label needs one of tools, toolkits, tags."],
    ["a label without a name", [{ label: { tools: ["A"] } }], "rules[0].label.as must be a string"],
    ["a label of arguments", [{ label: { as: "a", tools: ["A"], when: {} } }], "Unknown option rules[0].label.when."],
  ])("is rejected if it has %s", (_, rules, message) => {
    expect(() => policy(rules as Rule[])).toThrow(ConfigError);
    expect(() => policy(rules as Rule[])).toThrow(message);
  });

  test("is data, with a digest that depends on its labels", () => {
    const rules = [{ label: { as: "a", tags: ["openWorldHint"] } }, { deny: { after: ["a"] } }, { allow: {} }];
    const read = policyFromJson({ rules });
    expect(read.digest).not.toBe(
      policyFromJson({ rules: [{ label: { as: "a", tools: ["*"] } }, ...rules.slice(1)] }).digest,
    );
    const facts = { tool: { name: "SEND" } };
    expect(read.decide({ ...facts, labels: ["a"] }).outcome).toBe("deny");
    expect(read.decide({ ...facts, labels: [] }).outcome).toBe("allow");
    expect(read.explain(facts)).toMatchObject({ outcome: "deny", trace: [{ unknown: ["after"] }, { matched: true }] });
  });

  test("checks the names of the tools that it labels", async () => {
    const rules = [...RULES, label("untrusted", { tools: ["read_mails"] })];
    expect((await rejectionOf(ConfigError, desk({ policy: policy(rules) }))).message).toContain(
      'rules[3].label.tools names "read_mails", which isn\'t among the tools of the toolset. Did you mean read_mail?',
    );
  });

  test("lets a session run tools that a rule with after may deny only conditionally", () => {
    const rules = policy([allow({}), label("a", { tools: ["READ"] }), deny({ tools: ["SEND"], after: ["a"] })]);
    const known = ["READ", "SEND"].map((slug) => ({
      slug,
      toolkit: { slug: "mail", name: "Mail", logo: "" },
      tags: [],
    }));
    expect(rules.forSession(known as never).tools).toEqual({ mail: { enable: ["READ"] } });
    expect(rules.forSession(known as never, { allowed: "conditionally" }).tools).toEqual({
      mail: { enable: ["READ", "SEND"] },
    });
  });
});

test("a policy without labels reads and writes no more than before", async () => {
  const store = memoryExecutions();
  const ids: string[] = [];
  const noted = (id: string) => {
    ids.push(id);
    return id;
  };
  const start: ExecutionStore["start"] = async (id, stamp) => store.start(noted(id), stamp);
  const find: ExecutionStore["find"] = async (id) => store.find(noted(id));
  const counting = { ...store, start, find };
  const { tools } = await desk({ executions: counting, policy: policy([allow({})]) });
  await tools.run([call("read_mail"), call("send_mail")]);
  expect(ids.every((id) => JSON.parse(id).length === 2)).toBe(true);
  expect(ids).toHaveLength(4);
  // With labels, only calls that a rule with after may match read them.
  const labeled = await desk({ executions: counting });
  expect(ids.map((id) => JSON.parse(id)[2]).filter(Boolean)).toEqual(["conversation"]);
  ids.length = 0;
  await labeled.tools.run([call("look_up")]);
  expect(ids).toHaveLength(2);
  await labeled.tools.run([call("send_mail")]);
  expect(ids).toHaveLength(6);
});

describe("a toolset", () => {
  test("that requires a policy has one", async () => {
    const emulator = createEmulator();
    const svc = new Svc({ ...emulator.connection, env: {} });
    const made = (options: object) => toolset(svc, { userId: USER, tools: [COUNT_WORDS], ...options });
    expect((await rejectionOf(ConfigError, made({ requirePolicy: true }))).message).toBe(
      "toolset: requirePolicy is true, but there is no policy. Pass policy([...]).",
    );
    expect((await rejectionOf(ConfigError, made({ policy: undefined }))).message).toBe(
      "toolset: policy is undefined, and without a policy every call runs. Omit it if no policy is meant: { ...(policy && { policy }) }.",
    );
    expect(emulator.requests).toEqual([]);
    await made({ requirePolicy: true, policy: policy([allow({})]) });
    await made({ requirePolicy: false });
    await made({});
  });
});
