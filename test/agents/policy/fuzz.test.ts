import { expect, test } from "vitest";
import { openai } from "../../../src/agents/adapters/openai.js";
import { type CallResult, memoryExecutions, type Toolset, toolset } from "../../../src/agents/index.js";
import {
  allow,
  approvals,
  ask,
  budget,
  deny,
  dryRun,
  type PendingApproval,
  policy,
  type Rule,
} from "../../../src/agents/policy-entry.js";
import { createEmulator } from "../../../src/emulator/index.js";
import { Svc } from "../../../src/index.js";
import { sized } from "../../support/size.js";
import { USER } from "../support.js";
import { countingToolkit, type Effect, SLUGS, tagsOf } from "./effects.js";

const MULTI = "SVC_MULTI_EXECUTE_TOOL";
const ALIASES = [...SLUGS, "acme_pay", "ACME_PAY ", "ACME_PAYS", "SVC_REMOTE_BASH_TOOL", MULTI, "__proto__", ""];
const RECIPIENTS = ["bob@example.com", "eve@evil.test", "bob@example.com.evil.test", ""];

type Naive = readonly [strictness: number, rule: Rule, isAbout: (effect: Effect) => boolean];

/** Rules, and the same in the simplest words: 3 denies, 2 is a dry run, 1 asks, 0 allows. */
const POOL: readonly Naive[] = [
  [0, allow({}), () => true],
  [0, allow({ tools: ["ACME_GET_*", "ACME_LIST_*"] }), ({ slug }) => /^ACME_(GET|LIST)_/.test(slug)],
  [0, allow({ toolkits: ["acme"], when: { to: { like: "*@example.com" } } }), ({ to }) => to.endsWith("@example.com")],
  [0, allow({ tools: ["ACME_PAY"] }), ({ slug }) => slug === "ACME_PAY"],
  [1, ask({ tools: ["ACME_PAY", "ACME_SEND_*"] }), ({ slug }) => /^ACME_(PAY$|SEND_)/.test(slug)],
  [
    1,
    ask({ tags: ["openWorldHint"], when: ({ arguments: { to } }) => to === "" }),
    ({ slug, to }) => to === "" && tagsOf(slug).includes("openWorldHint"),
  ],
  [2, dryRun({ tools: ["*_ITEMS"] }), ({ slug }) => slug.endsWith("_ITEMS")],
  [3, deny({ tags: ["destructiveHint"] }), ({ slug }) => tagsOf(slug).includes("destructiveHint")],
  [3, deny({ when: { to: { like: "*evil*" } } }), ({ to }) => to.includes("evil")],
  [3, deny({ accounts: ["ca_prod"], tools: ["ACME_DELETE_*"] }), ({ slug }) => slug.startsWith("ACME_DELETE_")],
];

/** Random numbers below a bound, the same for the same seed. */
function randomOf(seed: number) {
  let state = seed + 1;
  return (below: number): number => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
}

/** One policy, one service, and many calls over every path. Returns how many calls, and what went wrong. */
async function batch(seed: number, calls: number) {
  const random = randomOf(seed);
  const pick = <Item>(items: readonly Item[]): Item => items[random(items.length)] as Item;
  const chosen = POOL.filter(([strictness]) => (strictness < 2 ? random(3) > 0 : random(3) === 0)).sort(
    () => random(3) - 1,
  );
  const limits = { maxCalls: 5 + random(calls), maxCallsPerTool: 3 + random(calls) };
  const rules = [...chosen.map(([, rule]) => rule), allow({ tools: [MULTI] }), budget(limits)];

  const effects: Effect[] = [];
  const emulator = createEmulator({
    toolkits: [countingToolkit((effect) => effects.push(effect))],
    rateLimit: { limit: 1e6 },
  });
  // Responses are lost before and after the effect; the retries of the client are on.
  emulator.faults.every(5 + random(9), "tools.execute", { connection: "reset", when: "after" });
  emulator.faults.every(7 + random(9), "tools.execute", { connection: "reset" });
  emulator.faults.every(5 + random(9), "toolRouter.executeMeta", { connection: "truncate", when: "after" });
  const svc = new Svc({ ...emulator.connection, env: {} });
  const session = await svc.toolRouter.create({ user_id: USER, preload: { tools: [...SLUGS] } });

  const approved = new Set<string>();
  /** Notes that a person approved a call, and the calls that it makes. */
  const note = ({ call: { name, arguments: args } }: PendingApproval) => {
    const inner = name === MULTI ? (args["tools"] as { tool_slug: string; arguments: typeof args }[]) : [];
    approved.add(`${name} ${String(args["number"])}`);
    for (const one of inner) approved.add(`${one.tool_slug} ${String(one.arguments["number"])}`);
  };
  const gate = approvals({
    keys: [{ id: "key-1", secret: "an approval key for tests, 0123456789" }],
    onRequest: (pending) => {
      const fate = random(5);
      if (fate === 0) throw new Error("down");
      if (fate > 2) return undefined;
      if (fate === 2) note(pending);
      return { approved: fate === 2, approver: "ada" };
    },
  });
  const tokens: string[] = [];
  /** Tokens of this call and of others. */
  const held = () => ({ approvals: tokens.slice(-5) });
  const executions = memoryExecutions();
  const guards = { policy: policy(rules), approvals: gate, executions, conversationId: "one" };
  const direct = await toolset(svc, { ...guards, userId: USER, tools: SLUGS });
  const resumed = await toolset(svc, { ...guards, userId: USER, tools: SLUGS, from: direct.toJSON() });
  const inSession = await toolset(session, { ...guards, catalog: svc });

  let number = 0;
  const args = () => {
    number += 1;
    return { number, to: pick(RECIPIENTS) };
  };
  const single = () => ({ callId: `call_${number}`, name: pick(ALIASES), arguments: args() });
  const several = () => {
    const tools = Array.from({ length: 1 + random(4) }, () => ({
      tool_slug: random(4) > 0 ? pick(SLUGS) : pick(ALIASES),
      arguments: args(),
      ...(random(9) === 0 && { account: pick(["ca_prod", ""]) }),
    }));
    const meta = { tools, sync_response_to_workbench: false, session_id: "s" };
    return {
      callId: `call_${number}`,
      name: MULTI,
      arguments: random(20) > 0 ? meta : { ...meta, tools: pick(["x", [1], {}, []]) },
    };
  };
  const viaOpenAI = async (tools: Toolset, made: ReturnType<typeof single>[]) => {
    const output = made.map(({ callId, name, arguments: given }) => ({
      ...{ type: "function_call", call_id: callId, name, arguments: JSON.stringify(given) },
    }));
    return (await openai(tools).run({ output }, held())).results;
  };
  /**
   * A person approves some of the calls that wait. Each runs twice at the same time, and its id with other arguments
   * too.
   */
  const approve = async (tools: Toolset, results: readonly CallResult[]) => {
    for (const pending of results.flatMap((result) => result.pendingApproval ?? [])) {
      if (random(2) === 0) continue;
      note(pending);
      tokens.push(await gate.approve(pending, { approver: "ada" }));
      const { call } = pending;
      const swapped = { ...call, arguments: { ...call.arguments, ...args() } };
      await Promise.all([swapped, call, call].map((one) => tools.run([one], held())));
    }
  };

  while (number < calls) {
    const made = Array.from({ length: 1 + random(6) }, single);
    const path = random(5);
    // The same calls once more, in another toolset with the same records: a turn that was resumed.
    if (path === 0) {
      const [, results] = await Promise.all([direct.run(made), resumed.run(made)]);
      await approve(direct, results);
    } else if (path === 1) await approve(resumed, await viaOpenAI(direct, made));
    else if (path === 2) await approve(inSession, await inSession.run(made, held()));
    else await approve(inSession, await inSession.run([several(), ...made.slice(4), several()], held()));
  }

  const strictnessOf = (effect: Effect) =>
    Math.max(-1, ...chosen.filter(([, , isAbout]) => isAbout(effect)).map(([strictness]) => strictness));
  const ids = effects.map((effect) => `${effect.slug} ${effect.number}`);
  const maxCallsPerTool = SLUGS.map((slug) => effects.filter((effect) => effect.slug === slug).length);
  return {
    calls: number,
    effects: effects.length,
    judged: effects.filter((effect) => strictnessOf(effect) === 1).length,
    denied: effects.filter((effect) => ![0, 1].includes(strictnessOf(effect))),
    unapproved: effects.filter((effect, index) => strictnessOf(effect) === 1 && !approved.has(ids[index] ?? "")),
    twice: ids.filter((id, index) => ids.indexOf(id) !== index),
    beyond: effects.length > limits.maxCalls || Math.max(...maxCallsPerTool) > limits.maxCallsPerTool,
  };
}

test("whatever is called over any path, nothing happens past a deny, without an approval, beyond a budget or twice", async () => {
  const total = sized(400, 20_000, 100_000);
  let [calls, effects, approvedEffects] = [0, 0, 0];
  for (let seed = 1; calls < total; seed += 1) {
    const { calls: made, effects: happened, judged, ...wrong } = await batch(seed, 200);
    expect({ seed, ...wrong }).toEqual({ seed, denied: [], unapproved: [], twice: [], beyond: false });
    calls += made;
    effects += happened;
    approvedEffects += judged;
  }
  // It lets enough through to notice what must not pass.
  expect(effects).toBeGreaterThan(calls / 30);
  expect(approvedEffects).toBeGreaterThan(calls / 400);
  console.log(`${calls} calls, ${effects} effects, ${approvedEffects} of them approved`);
}, 600_000);
