// Policies that a program writes itself, and the store of budgets in memory.
import { type BudgetStore, customPolicy, memoryBudgets } from "../../../src/agents/policy-entry.js";
import type { Definition } from "../world.js";
import { Desk } from "./decisions.js";
import { scripted } from "./scripted.js";

export const programPolicies: readonly Definition[] = [
  scripted("budgets: 1 process, a policy of the program", async (_, see, world) => {
    const allowed = { outcome: "allow" } as const;
    const answers: readonly (readonly [object, string])[] = [
      [{}, "succeeded"],
      [{ decide: () => ({ outcome: "ask", reason: "It costs." }) }, "pending"],
      [{ decide: () => ({ outcome: "deny", reason: "No." }) }, "not_run"],
      [{ decide: () => ({ outcome: "dry_run", reason: "Not yet." }) }, "dry_run"],
      [{ decide: () => ({ outcome: "ask" }) }, "not_run"],
      [{ decide: () => ({ outcome: "yes", reason: "It may." }) }, "not_run"],
      [{ decide: () => undefined }, "not_run"],
      [{ decide: () => Promise.reject(new Error("It failed.")) }, "not_run"],
      [{ count: async () => allowed }, "succeeded"],
      [{ count: async () => ({ outcome: "deny", reason: "Too many." }) }, "not_run"],
      [{ count: async () => ({ outcome: "ask", reason: "Too many." }) }, "not_run"],
      [{ count: async () => undefined }, "not_run"],
      [{ count: async () => Promise.reject(new Error("It failed.")) }, "not_run"],
    ];
    for (const [own, promised] of answers) {
      const desk = new Desk(world);
      const rules = customPolicy({ digest: "one", decide: () => allowed, ...own });
      const { run } = await desk.toolset(desk.tokens(), { policy: rules });
      see(
        `${Object.values(own)[0]}`,
        [(await run("a")).status, desk.ran.length],
        [promised, promised === "succeeded" ? 1 : 0],
      );
    }
    const peeks: readonly (readonly [unknown, string])[] = [
      [{ decision: allowed, budgets: [] }, "pending"],
      [{ decision: allowed }, "not_run"],
      [undefined, "not_run"],
      [{ decision: { outcome: "deny", reason: "Too many." }, budgets: [] }, "not_run"],
      [{ decision: { outcome: "ask", reason: "Too many." }, budgets: [] }, "not_run"],
    ];
    for (const [answer, promised] of peeks) {
      const desk = new Desk(world);
      const decide = () => ({ outcome: "ask", reason: "It costs." }) as const;
      const peek = async () => answer as never;
      const rules = customPolicy({ digest: "one", decide, count: async () => allowed, peek });
      const { run } = await desk.toolset(desk.tokens(), { policy: rules });
      see(JSON.stringify(answer) ?? "", (await run("a")).status, promised);
    }
  }),
  scripted("budgets: a store in memory", async (_, see) => {
    let now = 0;
    const store: BudgetStore = memoryBudgets({ now: () => now });
    const charge = (key: string, amount: number, limit: number, windowMs?: number) => ({
      key,
      amount,
      limit,
      windowMs,
    });
    const used = (key: string, windowMs?: number) => store.read({ key, windowMs });
    see("fits", await store.consume([charge("a", 2, 3), charge("b", 1, 1, 60_000)]), undefined);
    see("the first that doesn't", await store.consume([charge("a", 1, 3), charge("b", 1, 1, 60_000)]), 1);
    see("none is counted", [await used("a"), await used("b", 60_000), await used("c")], [2, 1, 0]);
    see("exactly", await store.consume([charge("a", 1, 3)]), undefined);
    see(
      "nothing more",
      [await store.consume([charge("a", 1, 3)]), await store.consume([charge("a", 0, 3)])],
      [0, undefined],
    );
    now = 59_000;
    see("in its period", await store.consume([charge("b", 1, 2, 60_000), charge("d", 5, 5, 10_000)]), undefined);
    now = 60_999;
    see("a little longer", [await used("b", 60_000), await used("d", 10_000)], [2, 5]);
    now = 61_000;
    see("after its period", await used("b", 60_000), 1);
    now = 69_000;
    see("of another length", await store.consume([charge("d", 1, 5, 10_000)]), 0);
    now = 69_200;
    see("after it", await store.consume([charge("d", 1, 5, 10_000)]), undefined);
    now = 119_999;
    see("steps go on", await used("b", 60_000), 1);
    now = 120_000;
    see("all are over", [await used("b", 60_000), await used("d", 10_000), await used("a")], [0, 0, 3]);
  }),
];
