import { expect, onTestFinished, test } from "vitest";
import { type Claim, ConfigError, memoryStore } from "../../src/webhooks/index.js";

const tokenOf = (claim: Claim) => (claim.status === "claimed" ? claim.token : "");

test("of many simultaneous claims one is granted", async () => {
  const store = memoryStore();
  const claims = await Promise.all(Array.from({ length: 50 }, () => store.claim("a", 1000)));
  expect(claims.filter(({ status }) => status === "claimed")).toHaveLength(1);
  expect(claims.filter(({ status }) => status === "running")).toHaveLength(49);
});

test("a released claim can be had again, a committed one never", async () => {
  const store = memoryStore();
  await store.release("a", tokenOf(await store.claim("a", 1000)));
  const token = tokenOf(await store.claim("a", 1000));
  expect(token).not.toBe("");
  expect([await store.commit("a", token), await store.commit("a", token)]).toEqual([true, true]);
  await store.release("a", token);
  expect((await store.claim("a", 1000)).status).toBe("committed");
});

test("a claim ends with its lease, and then its old token can neither commit nor release the new holder's", async () => {
  let time = 0;
  const store = memoryStore({ now: () => time });
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

test("a run that outlived its lease still commits when nobody took over", async () => {
  let time = 0;
  const store = memoryStore({ now: () => time });
  const token = tokenOf(await store.claim("a", 100));
  time = 500;
  expect(await store.commit("a", token)).toBe(true);
  expect((await store.claim("a", 100)).status).toBe("committed");
});

test("renews a claim, also one whose lease has ended, unless another caller has it", async () => {
  let time = 0;
  const store = memoryStore({ now: () => time });
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

test("keeps a lease when the time of day is set forward", async () => {
  const store = memoryStore();
  const token = tokenOf(await store.claim("a", 10_000));
  const { now } = Date;
  // The machine's clock being set is what this is about, and there is no other way to do it.
  Object.assign(Date, { now: () => now() + 20_000 });
  onTestFinished(() => void Object.assign(Date, { now }));
  expect((await store.claim("a", 10_000)).status).toBe("running");
  expect(await store.commit("a", token)).toBe(true);
});

test("a committed delivery is forgotten after retentionMs", async () => {
  let time = 0;
  const store = memoryStore({ now: () => time, retentionMs: 1000 });
  await store.commit("a", tokenOf(await store.claim("a", 100)));
  time = 999;
  expect((await store.claim("a", 100)).status).toBe("committed");
  time = 1000;
  expect((await store.claim("a", 100)).status).toBe("claimed");
});

test("at maxEntries the delivery committed longest ago is forgotten, a running one never", async () => {
  const store = memoryStore({ maxEntries: 3 });
  const running = tokenOf(await store.claim("running", 1000));
  for (const id of ["a", "b", "c"]) await store.commit(id, tokenOf(await store.claim(id, 1000)));
  expect((await store.claim("running", 1000)).status).toBe("running");
  expect((await store.claim("c", 1000)).status).toBe("committed");
  expect((await store.claim("a", 1000)).status).toBe("claimed");
  await store.release("running", running);
});

test("a store full of running deliveries sends further ones away until one ends", async () => {
  const store = memoryStore({ maxEntries: 2 });
  const token = tokenOf(await store.claim("a", 1000));
  await store.claim("b", 1000);
  expect((await store.claim("c", 1000)).status).toBe("running");
  await store.commit("a", token);
  expect((await store.claim("c", 1000)).status).toBe("claimed");
});

test("bounds that are not whole numbers above 0 are a ConfigError", () => {
  for (const value of [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY]) {
    expect(() => memoryStore({ maxEntries: value })).toThrow(ConfigError);
    expect(() => memoryStore({ retentionMs: value })).toThrow(ConfigError);
  }
});
