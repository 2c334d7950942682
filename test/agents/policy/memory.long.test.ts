import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { memoryBudgets } from "../../../src/agents/policy-entry.js";

setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");

function heapUsed(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

test.each([undefined, 86_400_000])(
  "memoryBudgets keeps nothing of a period that has ended, even after a budget whose period is %j",
  async (longer) => {
    let now = 0;
    const store = memoryBudgets({ now: () => now });
    const conversations = async (count: number) => {
      for (let index = 0; index < count; index += 1) {
        now += 100;
        await store.consume([{ key: `${now}`, amount: 1, limit: 50, windowMs: 1_000 }]);
      }
    };
    await store.consume([{ key: "rare", amount: 1, limit: 5, windowMs: longer }]);
    await conversations(1_000);
    const before = heapUsed();
    await conversations(50_000);
    expect((heapUsed() - before) / 50_000).toBeLessThan(50);
    expect(await store.consume([{ key: "rare", amount: 5, limit: 5, windowMs: longer }])).toBe(0);
  },
);
