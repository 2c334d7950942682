import { expect, onTestFinished, test } from "vitest";
import { type ClaimResult, ConfigError, memoryDeliveries } from "../../src/webhooks/index.js";

const tokenOf = (claim: ClaimResult) => (claim.status === "claimed" ? claim.token : "");

test("grants one of many simultaneous claims", async () => {
  const store = memoryDeliveries();
  const claims = await Promise.all(Array.from({ length: 50 }, () => store.claim("a", 1000)));
  expect(claims.filter(({ status }) => status === "claimed")).toHaveLength(1);
  expect(claims.filter(({ status }) => status === "running")).toHaveLength(49);
});

test("grants a released claim again, but never a committed one", async () => {
  const store = memoryDeliveries();
  await store.release("a", tokenOf(await store.claim("a", 1000)));
  const token = tokenOf(await store.claim("a", 1000));
  expect(token).not.toBe("");
  expect([await store.commit("a", token), await store.commit("a", token)]).toEqual([true, true]);
  await store.release("a", token);
  expect((await store.claim("a", 1000)).status).toBe("committed");
});

test("ends a claim with its lease, and its old token can neither commit nor release the new claim", async () => {
  let time = 0;
  const store = memoryDeliveries({ now: () => time });
  const old = tokenOf(await store.claim("a", 100));
  time = 99;
  expect((await store.claim("a", 100)).status).toBe("running");
  time = 100;
  const fresh = tokenOf(await store.claim("a", 100));
  expect(fresh).not.toBe("");
  await store.release("a", old);
  expect(await store.commit("a", old)).toBe(false);
  expect(await store.commit("a", fresh)).toBe(true);
});

test("commits a claim whose lease has ended if no one else claimed it", async () => {
  let time = 0;
  const store = memoryDeliveries({ now: () => time });
  const token = tokenOf(await store.claim("a", 100));
  time = 500;
  expect(await store.commit("a", token)).toBe(true);
  expect((await store.claim("a", 100)).status).toBe("committed");
});

test("renews a claim, also one whose lease has ended, unless another caller has it", async () => {
  let time = 0;
  const store = memoryDeliveries({ now: () => time });
  const token = tokenOf(await store.claim("a", 100));
  time = 99;
  expect(await store.renew("a", token, 100)).toBe(true);
  time = 198;
  expect((await store.claim("a", 100)).status).toBe("running");
  time = 300;
  expect(await store.renew("a", token, 100)).toBe(true);
  expect((await store.claim("a", 100)).status).toBe("running");
  time = 400;
  const fresh = tokenOf(await store.claim("a", 100));
  expect(await store.renew("a", token, 100)).toBe(false);
  expect(await store.commit("a", fresh)).toBe(true);
  expect([await store.renew("a", fresh, 100), await store.renew("a", token, 100)]).toEqual([false, false]);
  expect((await store.claim("a", 100)).status).toBe("committed");
});

test("keeps a lease if the time of day is set forward", async () => {
  const store = memoryDeliveries();
  const token = tokenOf(await store.claim("a", 10_000));
  const { now } = Date;
  // The subject of this test is a change of the machine's clock, which can't be injected.
  Object.assign(Date, { now: () => now() + 20_000 });
  onTestFinished(() => void Object.assign(Date, { now }));
  expect((await store.claim("a", 10_000)).status).toBe("running");
  expect(await store.commit("a", token)).toBe(true);
});

test("forgets a committed delivery after retentionMs", async () => {
  let time = 0;
  const store = memoryDeliveries({ now: () => time, retentionMs: 1000 });
  await store.commit("a", tokenOf(await store.claim("a", 100)));
  time = 999;
  expect((await store.claim("a", 100)).status).toBe("committed");
  time = 1000;
  expect((await store.claim("a", 100)).status).toBe("claimed");
});

test("removes the delivery committed longest ago at maxEntries, but never a running one", async () => {
  const store = memoryDeliveries({ maxEntries: 3 });
  const running = tokenOf(await store.claim("running", 1000));
  for (const id of ["a", "b", "c"]) await store.commit(id, tokenOf(await store.claim(id, 1000)));
  expect((await store.claim("running", 1000)).status).toBe("running");
  expect((await store.claim("c", 1000)).status).toBe("committed");
  expect((await store.claim("a", 1000)).status).toBe("claimed");
  await store.release("running", running);
});

test("returns running for other deliveries while maxEntries deliveries run", async () => {
  const store = memoryDeliveries({ maxEntries: 2 });
  const token = tokenOf(await store.claim("a", 1000));
  await store.claim("b", 1000);
  expect((await store.claim("c", 1000)).status).toBe("running");
  await store.commit("a", token);
  expect((await store.claim("c", 1000)).status).toBe("claimed");
});

test("throws a ConfigError if a limit isn't an integer above 0", () => {
  for (const value of [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY]) {
    expect(() => memoryDeliveries({ maxEntries: value })).toThrow(ConfigError);
    expect(() => memoryDeliveries({ retentionMs: value })).toThrow(ConfigError);
  }
});
