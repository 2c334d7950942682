import { expect, test } from "vitest";
import { memoryExecutions, type PreparedToolset, prepareToolset, tool } from "../../../src/agents/index.js";
import { allow, approvals, ask, deny, label, policy, type Rule } from "../../../src/agents/policy-entry.js";
import { Svc } from "../../../src/index.js";
import { sized } from "../../support/size.js";
import { KEY } from "../approvals/support.js";
import { THROUGH } from "../every-adapter.js";

const LIBRARIES = Object.entries(THROUGH);
/** The libraries through which a tool was called. */
const used = new Set<string>();
const CONVERSATIONS = sized(300, 20_000, 100_000);
/** Conversations that share a store and the prepared tools of a few policies. */
const BATCH = 2_000;

const READS = ["read_mail", "read_web", "read_file"] as const;
const SINKS = ["send_mail", "pay", "delete_file"] as const;
const TOOLS = [...READS, ...SINKS];
type ToolName = (typeof TOOLS)[number];
interface Made {
  readonly name: ToolName;
  readonly to: string;
}

/** Rules that give labels, and the same in the simplest words. */
const LABELS: readonly (readonly [label: string, rule: Rule, tools: readonly ToolName[]])[] = [
  ["untrusted", label("untrusted", { tools: ["read_mail", "read_web"] }), ["read_mail", "read_web"]],
  ["private", label("private", { tools: ["*_file"] }), ["read_file", "delete_file"]],
  ["spent", label("spent", { tools: ["pay"] }), ["pay"]],
];

/** Rules that keep calls from running, and the same in the simplest words. */
const LIMITS: readonly (readonly [after: readonly string[], rule: Rule, isAbout: (call: Made) => boolean])[] = [
  [["untrusted"], deny({ tools: ["send_*"], after: ["untrusted"] }), ({ name }) => name === "send_mail"],
  [["untrusted", "spent"], ask({ tools: ["pay"], after: ["untrusted", "spent"] }), ({ name }) => name === "pay"],
  [["private"], deny({ after: ["private"], when: { to: { is: "eve" } } }), ({ to }) => to === "eve"],
  [["private"], deny({ tools: ["read_web", "send_mail"], after: ["private"] }), ({ name }) => /web|send/.test(name)],
  [
    ["spent"],
    deny({ after: ["spent"], when: ({ arguments: args }) => args["to"] === "bob" }),
    ({ name: _, to }) => to === "bob",
  ],
];

/** Random numbers below a bound, the same for the same seed. */
function randomOf(seed: number) {
  let state = seed + 1;
  return (below: number): number => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
}
type Random = ReturnType<typeof randomOf>;
const pick = <Item>(random: Random, items: readonly Item[]): Item => items[random(items.length)] as Item;

/** Tools that note each run. */
const ran: Made[] = [];
const tools = TOOLS.map((name) =>
  tool({
    name,
    description: name,
    parameters: { type: "object", properties: { to: { type: "string" } }, required: ["to"] },
    execute: (args) => {
      ran.push({ name, to: String(args["to"]) });
      return "done";
    },
  }),
);

/** A policy of some of the rules, and the toolsets that it guards. */
async function guarded(random: Random): Promise<{ limits: typeof LIMITS; prepared: PreparedToolset }> {
  const limits = LIMITS.filter(() => random(2) === 0);
  const rules = [allow({}), ...LABELS.map(([, rule]) => rule), ...limits.map(([, rule]) => rule)];
  const svc = new Svc({ baseUrl: "https://service.test", apiKey: "key", env: {} });
  const guards = { policy: policy(rules), approvals: approvals({ keys: [KEY] }), executions: memoryExecutions() };
  const prepared = await prepareToolset(svc, { tools, ...guards });
  return { limits, prepared };
}

/** One conversation through several libraries. @returns the number of its calls. */
async function conversation(seed: number, random: Random, { limits, prepared }: Awaited<ReturnType<typeof guarded>>) {
  const given = new Set<string>();
  const conversationId = `conversation ${seed}`;
  const first = await prepared.for({ userId: "ada", conversationId, isNewConversation: true });
  const users = [first, await prepared.for({ userId: "grace", conversationId })];
  const made: Made[] = [];
  for (let step = 2 + random(2); step > 0; step -= 1) {
    const toolset = pick(random, users);
    if (random(12) === 0) {
      const name = pick(random, LABELS)[0];
      await toolset.addLabel(name);
      given.add(name);
    }
    const call = { name: pick(random, TOOLS), to: pick(random, ["bob", "eve", "mallory"]) };
    const isLimited = limits.some(([after, , isAbout]) => after.some((one) => given.has(one)) && isAbout(call));
    const [library, through] = pick(random, LIBRARIES);
    used.add(library);
    ran.length = 0;
    await through.run(toolset, call.name, { to: call.to });
    const expected = isLimited ? [] : [call];
    if (JSON.stringify(ran) !== JSON.stringify(expected)) {
      expect({ seed, library, call, after: [...given], before: made, ran }).toEqual({ ran: expected });
    }
    if (!isLimited) for (const [name, , from] of LABELS) if (from.includes(call.name)) given.add(name);
    made.push(call);
  }
  return made.length;
}

test(`in ${CONVERSATIONS} conversations through every library, no sink passes a rule with after`, async () => {
  const random = randomOf(48);
  let calls = 0;
  for (let seed = 0; seed < CONVERSATIONS; seed += BATCH) {
    const policies = await Promise.all(Array.from({ length: 8 }, () => guarded(random)));
    for (let index = seed; index < Math.min(seed + BATCH, CONVERSATIONS); index += 1) {
      calls += await conversation(index, random, pick(random, policies));
    }
  }
  expect(calls).toBeGreaterThan(CONVERSATIONS * 2);
  expect(used.size).toBe(LIBRARIES.length);
}, 3_000_000);
