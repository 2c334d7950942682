import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { type SessionToolsetOptions, toolset } from "../../../src/agents/index.js";
import {
  allow,
  budget,
  deny,
  type PolicyOptions,
  policy,
  policyFromJson,
  type Rule,
} from "../../../src/agents/policy-entry.js";
import { createEmulator } from "../../../src/emulator/index.js";
import { ConfigError, Svc } from "../../../src/index.js";
import { rejectionOf } from "../../support/client.js";
import { bench, COUNT_WORDS, CREATE_ISSUE, ISSUE, USER } from "../support.js";

const issue = { callId: "1", name: CREATE_ISSUE, arguments: ISSUE };

describe("a name in a rule that the toolset doesn't have", () => {
  test.each<[string, Rule, string]>([
    [
      "a misspelled slug",
      deny({ tools: ["GITHUB_CREATE_ISSUE"] }),
      'rules[1].deny.tools names "GITHUB_CREATE_ISSUE", which isn\'t among the tools of the toolset. Did you mean GITHUB_CREATE_AN_ISSUE?',
    ],
    [
      "a misspelled toolkit",
      deny({ toolkits: ["githib"] }),
      'rules[1].deny.toolkits names "githib", which isn\'t among the toolkits of the toolset. Did you mean github?',
    ],
    [
      "a tool of another toolset",
      budget({ tools: ["PAYPAL_PAY"], maxCalls: 1 }),
      'rules[1].budget.tools names "PAYPAL_PAY", which isn\'t among the tools of the toolset. If several toolsets share the policy, pass { allowUnknownNames: true } to policy().',
    ],
  ])("is an error: %s", async (_, rule, message) => {
    const made = bench({ policy: policy([allow({}), rule]) });
    expect((await rejectionOf(ConfigError, made)).message).toBe(`policy: ${message}`);
    const fromJson = bench({ policy: policyFromJson({ rules: [allow({}), rule] }) });
    expect((await rejectionOf(ConfigError, fromJson)).message).toBe(`policy: ${message}`);
  });

  test("is accepted if several toolsets share the policy, and its other rules hold", async () => {
    const rules = policy([allow({}), deny({ tools: ["PAYPAL_PAY", CREATE_ISSUE] })], { allowUnknownNames: true });
    const { tools } = await bench({ policy: rules });
    expect(await tools.run([issue])).toMatchObject([{ status: "not_run" }]);
  });

  test.each<Rule>([
    deny({ tools: ["PAYPAL_*"] }),
    deny({ toolkits: ["*pal"] }),
    deny({ tools: ["SVC_REMOTE_BASH_TOOL"] }),
    deny({ tags: ["no such tag"] }),
  ])("isn't looked for in %j", async (rule) => {
    const { tools } = await bench({ policy: policy([allow({}), rule]) });
    expect(await tools.run([issue])).toMatchObject([{ status: "succeeded" }]);
  });

  test("of a JavaScript program can't be hidden by a value that isn't true or false", () => {
    const options = { allowUnknownNames: "yes" } as unknown as PolicyOptions;
    expect(() => policy([allow({})], options)).toThrow(
      new ConfigError("policy: allowUnknownNames must be true or false."),
    );
  });
});

describe("in a session whose meta tools reach other tools, a name", () => {
  const warn = vi.fn();
  beforeEach(() => {
    warn.mockClear();
    vi.spyOn(console, "warn").mockImplementation(warn);
  });
  afterEach(() => {
    vi.restoreAllMocks();
  });

  async function made(rules: ReturnType<typeof policy>, hasCatalog: boolean) {
    const emulator = createEmulator();
    const svc = new Svc({ ...emulator.connection, env: {} });
    const session = await svc.toolRouter.create({ user_id: USER, preload: { tools: [COUNT_WORDS] } });
    const options: SessionToolsetOptions = { policy: rules, ...(hasCatalog && { catalog: svc }) };
    return toolset(session, options);
  }

  test("is looked up in the catalog", async () => {
    await made(policy([allow({}), deny({ tools: [CREATE_ISSUE], toolkits: ["github"] })]), true);
    const error = await rejectionOf(ConfigError, made(policy([deny({ tools: ["TEXTKIT_COUNT_WORD"] })]), true));
    expect(error.message).toContain("Did you mean TEXTKIT_COUNT_WORDS?");
    const unknown = await rejectionOf(ConfigError, made(policy([deny({ toolkits: ["githubb"] })]), true));
    expect(unknown.message).toContain('rules[0].deny.toolkits names "githubb"');
    expect(warn).not.toHaveBeenCalled();
  });

  test("is reported once without a catalog", async () => {
    const rules = policy([allow({}), deny({ tools: [CREATE_ISSUE] })]);
    await made(rules, false);
    await made(rules, false);
    expect(warn.mock.calls).toEqual([
      [
        'policy: rules[1].deny.tools names "GITHUB_CREATE_AN_ISSUE", which isn\'t among the tools of the toolset. ' +
          "Pass catalog to the toolset to look it up, or { allowUnknownNames: true } to policy().",
      ],
    ]);
  });
});
