import { beforeAll, describe, expect, test } from "vitest";
import { memoryExecutions, type SerializedToolset } from "../../../src/agents/index.js";
import {
  ApprovalRejectedError,
  type ApprovalRejectionReason,
  approvals,
  customPolicy,
} from "../../../src/agents/policy-entry.js";
import { ConfigError } from "../../../src/index.js";
import { rejectionOf } from "../../support/client.js";
import { longTest, sized } from "../../support/size.js";
import { ISSUE, USER } from "../support.js";
import { askForIssues, type Gated, gated, issueCall, KEY } from "./support.js";

const [LATER, NOW] = [1_790_000_060_000, 1_790_000_000_000];

let made: Gated;
let token: string;
beforeAll(async () => {
  // Each question names its account: these tests ask thousands of times.
  const accounts = { github: "ca_github_demo" };
  made = await gated({ accounts }, { now: () => NOW }, { rateLimit: { limit: 1_000_000 } });
  token = await made.gate.approve(await made.ask(), { approver: "ada", expiresInMs: 60_000 });
});

/** Why the tokens don't count for a call. */
async function reasonOf(tokens: readonly unknown[], from: Gated = made, call = issueCall("call_1")): Promise<unknown> {
  // @ts-expect-error: tokens come from anywhere.
  const [result] = await from.tools.run([call], { approvals: tokens });
  expect(result).toMatchObject({ status: "pending", pendingApproval: { call: { callId: call.callId } } });
  expect(result?.text).toContain("isn't valid for this call");
  expect(result?.error).toBeInstanceOf(ApprovalRejectedError);
  expect(String(result?.error)).not.toContain(KEY.secret);
  return result?.error instanceof ApprovalRejectedError ? result.error.reason : undefined;
}

/** Everything but letters, digits, - and _ is no part of a token. */
const flipped = (text: string, index: number, bit: number) =>
  text.slice(0, index) + String.fromCharCode(text.charCodeAt(index) ^ (1 << bit)) + text.slice(index + 1);

/** The same tools in another version. */
function inVersion(version: string): SerializedToolset {
  const { formatVersion, tools } = made.tools.toJSON();
  return { formatVersion, tools: tools.map((tool) => ({ ...tool, version })) };
}

describe("a token", () => {
  test("is valid if its secret got another id since", async () => {
    const gate = approvals({ keys: [{ id: "renamed", secret: KEY.secret }], now: () => NOW });
    const renamed = await gated({ accounts: { github: "ca_github_demo" }, approvals: gate });
    expect(await renamed.tools.run([issueCall("call_1")], { approvals: [token] })).toMatchObject([
      { status: "succeeded" },
    ]);
  });

  test("has a version, a body and a signature, in base64url", () => {
    expect(token).toMatch(/^v1\.[\w-]+\.[\w-]{43}$/);
    const body = JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString());
    expect(body).toEqual({
      key: "key-1",
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      decision: "approved",
      approver: "ada",
      reason: null,
      tool: "GITHUB_CREATE_AN_ISSUE",
      version: "20251023_00",
      arguments: expect.stringMatching(/^[0-9a-f]{64}$/),
      user: USER,
      account: "ca_github_demo",
      session: null,
      scope: `["${USER}",null]`,
      call: "call_1",
      policy: "test",
      budgets: null,
      issued: NOW,
      expires: NOW + 60_000,
    });
  });

  test("with any single bit flipped is rejected", async () => {
    const reasons = new Map<unknown, number>();
    for (let index = 0; index < token.length; index++) {
      for (const bit of sized([index % 8], [0, 1, 2, 3, 4, 5, 6, 7])) {
        const reason = await reasonOf([flipped(token, index, bit)]);
        reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
      }
    }
    expect([...reasons.values()].reduce((sum, count) => sum + count)).toBe(token.length * sized(1, 8));
    expect([...reasons.keys()].sort()).toEqual(["bad_signature", "malformed", "not_canonical", "unsupported_version"]);
    expect(made.executions()).toBe(0);
  });

  longTest("with any single bit of its decoded body or signature flipped is rejected", async () => {
    const parts = token.split(".");
    for (const part of [1, 2]) {
      const bytes = Buffer.from(parts[part] ?? "", "base64url");
      for (let index = 0; index < bytes.length; index++) {
        const changed = Buffer.from(bytes);
        changed[index] = (bytes[index] ?? 0) ^ (1 << (index % 8));
        const text = parts.with(part, changed.toString("base64url")).join(".");
        expect(await reasonOf([text])).toBe("bad_signature");
      }
    }
    expect(made.executions()).toBe(0);
  });

  test("that is cut anywhere is rejected", async () => {
    for (let length = 0; length < token.length; length += sized(21, 1)) {
      expect(["malformed", "not_canonical", "bad_signature"]).toContain(await reasonOf([token.slice(0, length)]));
    }
    expect(made.executions()).toBe(0);
  });

  const cases: [string, (token: string) => unknown, ApprovalRejectionReason][] = [
    ["of another version", (own) => own.replace("v1.", "v2."), "unsupported_version"],
    ["with padding", (own) => `${own}=`, "not_canonical"],
    ["with a part more", (own) => `${own}.x`, "malformed"],
    ["with spaces around it", (own) => ` ${own}`, "malformed"],
    ["of two bodies", (own) => own.replace(".", `.${own.split(".")[1]}.`), "malformed"],
    ["without a signature", (own) => own.replace(/[^.]+$/, ""), "not_canonical"],
    ["that is very long", (own) => own + "A".repeat(100_000), "malformed"],
    ["in the standard alphabet", (own) => own.replace(/[^.]+$/, "+".repeat(43)), "not_canonical"],
  ];
  test.each(cases)("%s is rejected", async (_, change, reason) => {
    expect(await reasonOf([change(token)])).toBe(reason);
  });

  test("signed by another key is rejected, by a key of the same id too", async () => {
    const forger = approvals({ keys: [{ ...KEY, secret: "a key of the attacker, 0123456789 abc" }], now: () => NOW });
    expect(await reasonOf([await forger.approve(await made.ask(), { approver: "ada" })])).toBe("bad_signature");
  });

  test("works until its last millisecond, and then has expired", async () => {
    let now = NOW;
    const own = await gated({}, { now: () => now });
    const pending = await own.ask();
    const short = await own.gate.approve(pending, { approver: "ada", expiresInMs: 60_000 });
    now = LATER;
    expect(await reasonOf([short], own)).toBe("expired");
    now = LATER - 1;
    expect(await own.tools.run([pending.call], { approvals: [short] })).toMatchObject([{ status: "succeeded" }]);
  });

  test("lasts a day by default", async () => {
    const long = await made.gate.approve(await made.ask(), { approver: "ada" });
    const { expires, issued } = JSON.parse(Buffer.from(long.split(".")[1] ?? "", "base64url").toString());
    expect(expires - issued).toBe(86_400_000);
  });
});

describe("a token is useless for", () => {
  const other: [string, () => Promise<Gated>, ApprovalRejectionReason, Parameters<typeof issueCall>?][] = [
    ["another call", () => gated({}, { now: () => NOW }), "other_call", ["call_2"]],
    ["other arguments", () => gated({}, { now: () => NOW }), "other_arguments", ["call_1", { ...ISSUE, title: "x" }]],
    ["one more argument", () => gated({}, { now: () => NOW }), "other_arguments", ["call_1", { ...ISSUE, body: "" }]],
    [
      "another user",
      () => gated({ userId: "user-demo", accounts: { github: "ca_github_demo" } }, { now: () => NOW }),
      "other_user",
    ],
    ["another account", () => gated({ accounts: { github: "ca_other" } }, { now: () => NOW }), "other_account"],
    ["another conversation", () => gated({ conversationId: "conversation-2" }, { now: () => NOW }), "other_scope"],
    [
      "another policy",
      () => gated({ policy: customPolicy({ ...askForIssues, digest: "stricter" }) }, { now: () => NOW }),
      "other_policy",
    ],
    [
      "another version of the tool",
      () => gated({ from: inVersion("20250101_00") }, { now: () => NOW }),
      "other_version",
    ],
  ];
  test.each(other)("%s", async (_, make, reason, call = ["call_1"]) => {
    const elsewhere = await make();
    expect(await reasonOf([token], elsewhere, issueCall(...call))).toBe(reason);
    expect(elsewhere.executions()).toBe(0);
  });

  test("another tool of the same arguments", async () => {
    const ask = { ...askForIssues, decide: () => ({ outcome: "ask", reason: "Everything asks." }) as const };
    const own = (name: string) => ({ name, description: "", parameters: { type: "object" }, execute: () => name });
    const both = await gated({ tools: [own("pay"), own("refund")], policy: customPolicy(ask) });
    const call = { callId: "call_1", name: "pay", arguments: { amount: 1 } };
    const [asked] = await both.tools.run([call]);
    if (!asked?.pendingApproval) throw new Error("It wasn't asked for.");
    const forPay = await both.gate.approve(asked.pendingApproval, { approver: "ada" });
    const [refund] = await both.tools.run([{ ...call, name: "refund" }], { approvals: [forPay] });
    expect(refund).toMatchObject({ status: "pending", error: { reason: "other_tool" } });
    expect(await both.tools.run([call], { approvals: [forPay] })).toMatchObject([
      { status: "succeeded", text: '"pay"' },
    ]);
  });

  test("a swapped call of the same turn", async () => {
    const own = await gated();
    const [one, two] = [await own.ask("call_1"), await own.ask("call_2", { ...ISSUE, title: "Two" })];
    const [forOne, forTwo] = [
      await own.gate.approve(one, { approver: "ada" }),
      await own.gate.approve(two, { approver: "ada" }),
    ];
    expect(await reasonOf([forTwo], own, one.call as never)).toBe("other_call");
    expect(await reasonOf([forOne], own, two.call as never)).toBe("other_call");
    // Together they are those of the turn, in any order.
    const results = await own.tools.run([one.call, two.call], { approvals: [forTwo, forOne] });
    expect(results.map(({ status }) => status)).toEqual(["succeeded", "succeeded"]);
  });
});

describe("keys", () => {
  test("rotate: the first signs, all of them verify", async () => {
    const next = { id: "key-2", secret: "the next approval key, 0123456789 abcdef" };
    const executions = memoryExecutions();
    const old = await gated({ executions });
    const pending = await old.ask();
    const before = await old.gate.approve(pending, { approver: "ada" });
    const rotated = await gated({ executions }, { keys: [next, KEY] });
    const after = await rotated.gate.approve(pending, { approver: "ada" });
    expect(Buffer.from(after.split(".")[1] ?? "", "base64url").toString()).toContain('"key":"key-2"');
    expect(await reasonOf([after], old)).toBe("bad_signature");
    expect(await rotated.tools.run([pending.call], { approvals: [before] })).toMatchObject([{ status: "succeeded" }]);
    const retired = await gated({}, { keys: [next] });
    expect(await reasonOf([before], retired)).toBe("bad_signature");
  });

  test("may get another id with the same secret: tokens that it signed before stay valid", async () => {
    const executions = memoryExecutions();
    const old = await gated({ executions });
    const pending = await old.ask();
    const before = await old.gate.approve(pending, { approver: "ada" });
    const renamed = await gated({ executions }, { keys: [{ ...KEY, id: "2026-12" }] });
    expect(await renamed.tools.run([pending.call], { approvals: [before] })).toMatchObject([{ status: "succeeded" }]);
  });

  test.each([
    ["none", []],
    ["a short secret", [{ id: "a", secret: "short" }]],
    ["a secret that isn't a string", [{ id: "a", secret: undefined }]],
    ["an empty id", [{ ...KEY, id: "" }]],
    ["two with the same id", [KEY, KEY]],
    ["too many", Array.from({ length: 9 }, (_, index) => ({ ...KEY, id: `${index}` }))],
  ])("are rejected: %s", (_, keys) => {
    // @ts-expect-error: untyped callers pass anything.
    expect(() => approvals({ keys })).toThrow(ConfigError);
  });
});

test.each([
  ["no approver", { approver: "" }],
  ["a misspelled lifetime", { approver: "ada", expiresIn: 100 }],
  ["a lifetime of zero", { approver: "ada", expiresInMs: 0 }],
  ["a lifetime without an end", { approver: "ada", expiresInMs: Number.POSITIVE_INFINITY }],
  ["a lifetime beyond all dates", { approver: "ada", expiresInMs: Number.MAX_SAFE_INTEGER }],
  ["an approver that would make the token too long", { approver: "a".repeat(20_000) }],
])("approve rejects %s", async (_, options) => {
  await rejectionOf(ConfigError, made.gate.approve(await made.ask(), options));
});

test("approve rejects what isn't a pending approval", async () => {
  const pending = await made.ask();
  for (const wrong of [
    undefined,
    {},
    { ...pending, formatVersion: 2 },
    { ...pending, call: {} },
    JSON.stringify(pending),
  ]) {
    // @ts-expect-error: untyped callers pass anything.
    await rejectionOf(ConfigError, made.gate.approve(wrong, { approver: "ada" }));
  }
});

test("approvals rejects a misspelled option, which would ask no person", () => {
  const options = { keys: [KEY], onRequests: () => undefined };
  expect(() => approvals(options)).toThrow("approvals: Unknown option onRequests. Did you mean onRequest?");
});

test("approve rejects a missing approver", async () => {
  // @ts-expect-error: untyped callers forget it.
  const error = await rejectionOf(ConfigError, made.gate.approve(await made.ask()));
  expect(error.message).toContain("approver must be a string, such as");
});

test("approve rejects a pending approval without one of the facts that a token contains", async () => {
  const pending = await made.ask();
  for (const fact of ["version", "userId", "accountId", "sessionId", "scope", "policyDigest"] as const) {
    const { [fact]: _, ...half } = pending;
    // @ts-expect-error: a fact was lost in storage.
    await rejectionOf(ConfigError, made.gate.approve(half, { approver: "ada" }));
  }
});

test("request rejects a pending approval that was damaged in storage", async () => {
  const pending = await made.ask();
  const lists = ["files", "inner", "budgets", "origins"].map((name) => ({ ...pending, [name]: [{}] }));
  const changed = Object.keys(pending).map((name) => ({ ...pending, [name]: 0.5 }));
  const { callId: _, ...call } = pending.call;
  for (const damaged of [...lists, ...changed, { ...pending, call }, { ...pending, account: { alias: 1 } }]) {
    // @ts-expect-error: its type was lost in storage.
    await rejectionOf(ConfigError, made.gate.request(damaged, { approver: "ada" }));
  }
  const { token } = await made.gate.request(pending, { approver: "ada" });
  expect(token).toMatch(/^v1\./);
});

test.each([
  ["isn't a string", 5],
  ["would make the token too long", "r".repeat(20_000)],
])("deny rejects a reason that %s", async (_, reason) => {
  // @ts-expect-error: untyped callers pass anything.
  await rejectionOf(ConfigError, made.gate.deny(await made.ask(), { approver: "ada", reason }));
});

test("a token that isn't in a list runs nothing, and the error says how to pass it", async () => {
  const pending = await made.ask();
  const token = await made.gate.approve(pending, { approver: "ada" });
  // @ts-expect-error: untyped callers pass anything.
  const error = await rejectionOf(ConfigError, made.tools.run([pending.call], { approvals: token }));
  expect(error.message).toContain("{ approvals: [token] }");
  expect(made.executions()).toBe(0);
});
