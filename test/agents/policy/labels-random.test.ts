import { expect, test, vi } from "vitest";
import { type ExecutionStore, memoryExecutions, type Toolset, toolset } from "../../../src/agents/index.js";
import { allow, deny, label, type PolicyCall, policy, type Rule } from "../../../src/agents/policy-entry.js";
import { createEmulator } from "../../../src/emulator/index.js";
import { Svc } from "../../../src/index.js";
import { sized } from "../../support/size.js";
import { THROUGH } from "../every-adapter.js";
import { USER } from "../support.js";
import { isLabel } from "./desk.js";
import { countingToolkit, type Effect, SLUGS, tagsOf } from "./effects.js";

const MULTI = "SVC_MULTI_EXECUTE_TOOL";
const ADAPTERS = Object.values(THROUGH);

/** Rules that give labels, and the same in the simplest words. */
const LABELS: readonly (readonly [name: string, rule: Rule, has: (slug: string) => boolean])[] = [
  ["mail", label("mail", { tools: ["ACME_GET_*"] }), (slug) => slug === "ACME_GET_ITEM"],
  ["web", label("web", { tools: ["ACME_LIST_ITEMS", "ACME_PAY"] }), (slug) => /^ACME_(LIST_ITEMS|PAY)$/.test(slug)],
  ["hurt", label("hurt", { tags: ["destructiveHint"] }), (slug) => tagsOf(slug).includes("destructiveHint")],
  [
    "web",
    label("web", { toolkits: ["acme"], tags: ["openWorldHint"] }),
    (slug) => tagsOf(slug).includes("openWorldHint"),
  ],
  ["mail", label("mail", { tools: ["*_ITEM"], toolkits: ["acme"] }), (slug) => slug.endsWith("_ITEM")],
];

type Made = Pick<Effect, "slug" | "to">;
/** Rules that deny, and the same in the simplest words. */
const DENIES: readonly (readonly [after: readonly string[], rule: Rule, isAbout: (call: Made) => boolean])[] = [
  [["mail"], deny({ tools: ["ACME_SEND_*"], after: ["mail"] }), ({ slug }) => slug === "ACME_SEND_MAIL"],
  [["web", "hurt"], deny({ tools: ["ACME_PAY"], after: ["web", "hurt"] }), ({ slug }) => slug === "ACME_PAY"],
  [["hurt"], deny({ tags: ["destructiveHint"], after: ["hurt"] }), ({ slug }) => /PAY|DELETE/.test(slug)],
  [["web"], deny({ after: ["web"], when: { to: { is: "eve" } } }), ({ to }) => to === "eve"],
  [
    ["mail"],
    deny({
      after: ["mail"],
      when: ({ arguments: { to } }: PolicyCall & { arguments: object }) => "to" in { to } && to === "bob",
      toolkits: ["acme"],
    }),
    ({ to }) => to === "bob",
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

/** A service whose tools count, for many conversations. */
async function world() {
  const effects: Effect[] = [];
  const toolkits = [countingToolkit((effect) => effects.push(effect))];
  const emulator = createEmulator({ toolkits, rateLimit: { limit: 1e9 } });
  const svc = new Svc({ ...emulator.connection, env: {} });
  const session = await svc.toolRouter.create({ user_id: USER, preload: { tools: [...SLUGS] } });
  const direct = await toolset(svc, { userId: USER, tools: SLUGS });
  const inSession = await toolset(session);
  const serialized = { direct: direct.toJSON(), inSession: inSession.toJSON() };
  return { effects, svc, session, serialized };
}

/** A store whose requests about labels fail now and then, before or after they act. */
function unreliable(store: ExecutionStore, random: (below: number) => number): ExecutionStore {
  const sometimes =
    <Args extends readonly [id: string, ...unknown[]], Reply>(act: (...args: Args) => Promise<Reply>) =>
    async (...args: Args): Promise<Reply> => {
      const fate = isLabel(args[0]) ? random(6) : 9;
      if (fate === 0) throw new Error("no connection");
      const reply = await act(...args);
      if (fate === 1) throw new Error("lost reply");
      return reply;
    };
  return { find: sometimes(store.find), start: sometimes(store.start), finish: store.finish };
}

/** One conversation of several agents. Returns what happened although it must not, and what didn't although it must. */
async function conversation(seed: number, { effects, svc, session, serialized }: Awaited<ReturnType<typeof world>>) {
  const random = randomOf(seed);
  const pick = <Item>(items: readonly Item[]): Item => items[random(items.length)] as Item;
  const labels = LABELS.filter((_, index) => index < 3 || random(3) === 0);
  const denies = DENIES.filter(() => random(2) === 0);
  const rules = policy([allow({}), ...labels.map(([, rule]) => rule), ...denies.map(([, rule]) => rule)]);
  const isUnreliable = random(4) === 0;
  const store = memoryExecutions();
  let isLost = false;
  const lasting = isUnreliable ? unreliable(store, random) : store;
  let kept = lasting;
  const executions: ExecutionStore = {
    find: (id) => kept.find(id),
    start: (id, stamp) => kept.start(id, stamp),
    finish: (id, stamp, result) => kept.finish(id, stamp, result),
  };
  const guards = { policy: rules, executions, conversationId: `conversation ${seed}` };
  await toolset(svc, { ...guards, executions: store, isNewConversation: true, userId: USER, from: serialized.direct });
  const openings = [
    () => toolset(svc, { ...guards, userId: pick([USER, "bob"]), from: serialized.direct }),
    () => toolset(session, { ...guards, catalog: svc, from: serialized.inSession }),
  ] as const;
  const open = await Promise.all(openings.map((one) => one()));
  const tools = () => open[0] as Toolset;
  const inSession = () => open[1] as Toolset;

  /** The labels of all results that the models of the conversation were given. */
  const given = new Set<string>();
  const isDenied = (call: Made) =>
    denies.some(([after, , about]) => after.some((one) => given.has(one)) && about(call));
  const give = (slugs: readonly string[]) => {
    for (const [name, , has] of labels) if (slugs.some(has)) given.add(name);
  };
  const wrong: string[] = [];
  let number = seed * 1_000;
  const first = number;
  const make = () => {
    number += 1;
    return { slug: pick(SLUGS), to: pick(["ada", "bob", "eve"]), number };
  };
  /** Checks the effects of calls that ran or fail together, and notes what the model was given. */
  const check = async (
    groups: readonly Made[][],
    run: () => Promise<readonly (readonly string[])[]>,
    isAlone = true,
  ) => {
    const fates = groups.map((calls) => ({ calls, denied: calls.some(isDenied) }));
    const before = effects.length;
    const released = await run();
    const happened = new Set(effects.slice(before).map((effect) => effect.number));
    for (const { calls, denied } of fates) {
      for (const call of calls as (Made & { readonly number: number })[]) {
        const ran = happened.has(call.number);
        if (ran && denied) wrong.push(`${call.slug} to ${call.to} ran after ${[...given]}`);
        if (!ran && !denied && isAlone && !isUnreliable && !isLost)
          wrong.push(`${call.slug} to ${call.to} didn't run after ${[...given]}`);
      }
    }
    for (const slugs of released) give(slugs);
  };
  const argumentsOf = ({ number: count, to }: { number: number; to: string }) => ({ number: count, to });
  const asCall = (made: ReturnType<typeof make>) => ({
    ...{ callId: `call_${made.number}`, name: made.slug, arguments: argumentsOf(made) },
  });
  /** The slugs of results that a model may have read. */
  const readOf = (made: readonly Made[], results: Awaited<ReturnType<Toolset["run"]>>) =>
    made.map(({ slug }, index) => (/^(succeeded|failed)$/.test(results[index]?.status ?? "") ? [slug] : []));
  const turn = async (from: Toolset, made: ReturnType<typeof make>[]) => readOf(made, await from.run(made.map(asCall)));
  const earlier: ReturnType<typeof make>[] = [];

  for (let step = 0; step < 12; step += 1) {
    const made = Array.from({ length: 1 + random(3) }, make);
    const kind = random(9);
    if (random(60) === 0) {
      isLost = true;
      kept = memoryExecutions();
    }
    if (kind < 3)
      await check(
        made.map((one) => [one]),
        () => turn(pick(open), made),
      );
    else if (kind === 3) {
      const [one = make()] = made;
      await check([[one]], async () => {
        const text = await pick(ADAPTERS).run(tools(), one.slug, argumentsOf(one));
        return [text.startsWith("{") ? [one.slug] : []];
      });
    } else if (kind === 4) {
      const inner = made.map((one) => ({ tool_slug: one.slug, arguments: argumentsOf(one) }));
      const meta = { tools: inner, sync_response_to_workbench: false, session_id: "s" };
      await check([made], async () => {
        const [result] = await inSession().run([{ callId: `multi_${number}`, name: MULTI, arguments: meta }]);
        return [result?.status === "succeeded" ? made.map(({ slug }) => slug) : []];
      });
    } else if (kind === 5) {
      // Two agents of the conversation at the same time: each may or may not see what the other was given.
      const others = Array.from({ length: 2 }, make);
      const both = async () => (await Promise.all([turn(tools(), made), turn(inSession(), others)])).flat();
      await check(
        [...made, ...others].map((one) => [one]),
        both,
        false,
      );
    } else if (kind === 6 && earlier.length > 0) {
      // From its record, perhaps after a restart.
      const one = pick(earlier);
      await check([], async () => readOf([one], await tools().run([asCall(one)])));
    } else if (kind === 7) {
      const name = pick(["mail", "web", "hurt"]);
      const isAdded = await pick(open)
        .addLabel(name)
        .then(
          () => true,
          () => false,
        );
      if (isAdded) given.add(name);
    } else {
      const index = random(2);
      open[index] = await (openings[index] ?? openings[0])();
    }
    if (kind < 3) earlier.push(...made);
  }
  const happened = effects.filter((effect) => effect.number > first && effect.number <= number).length;
  return { wrong, calls: number - first, happened };
}

test("in any conversation, nothing happens past a rule with after, and everything else does", async () => {
  let [calls, effects] = [0, 0];
  const made = await world();
  // About conversations whose records are lost.
  const warn = vi.spyOn(console, "warn").mockImplementation(() => undefined);
  for (let seed = 1; seed <= sized(20, 3_000); seed += 1) {
    made.effects.length = 0;
    const { wrong, calls: count, happened } = await conversation(seed, made);
    expect({ seed, wrong }).toEqual({ seed, wrong: [] });
    calls += count;
    effects += happened;
  }
  warn.mockRestore();
  // Rules deny some, and let enough through to notice what must not pass.
  expect(effects).toBeGreaterThan(calls / 4);
  expect(effects).toBeLessThan(calls * 0.9);
}, 3_000_000);
