import { expect, test } from "vitest";
import { ConfigError, verifySignature } from "../../../src/webhooks/index.js";
import { Post } from "./support.js";

/** A post whose subscription got one delivery. */
async function delivered(status = 200) {
  const post = new Post([status]);
  const { secret, id } = await post.subscribe();
  await post.fire();
  return { post, secret, subscription: id, delivery: post.emulator.deliveries.items[0]?.id ?? "" };
}

test("resends a delivery byte for byte, after the clock moved and the secret was rotated", async () => {
  const { post, subscription, delivery } = await delivered();
  await post.svc.webhookSubscriptions.rotateSecret(subscription);
  await post.pass("60m");
  const [sent] = post.emulator.deliveries.resend(delivery);
  await post.emulator.waitForDeliveries();
  const [first, again] = post.received;
  expect({ ...again, at: 0 }).toEqual({ ...first, at: 0 });
  expect(post.emulator.deliveries.items).toHaveLength(2);
  expect(post.emulator.deliveries.items[1]).toMatchObject({
    id: sent?.id,
    state: "delivered",
    resend: { of: delivery },
  });
});

test("resends with another body, signed for it and for the current time", async () => {
  const { post, secret, delivery } = await delivered();
  await post.pass("60m");
  post.emulator.deliveries.resend(delivery, { body: '{"other":true}' });
  await post.emulator.waitForDeliveries();
  const { headers = {}, body = "" } = post.received[1] ?? {};
  expect(body).toBe('{"other":true}');
  const now = () => post.emulator.clock.now();
  await expect(verifySignature({ headers, body }, { secret, now })).resolves.toMatchObject({ body });
});

test("resends signed with a wrong secret, with a skew, and several times", async () => {
  const { post, delivery } = await delivered();
  post.emulator.deliveries.resend(delivery, { wrongSecret: true });
  post.emulator.deliveries.resend(delivery, { skewSeconds: -600, copies: 3 });
  post.emulator.deliveries.resend(delivery, { sign: true });
  await post.emulator.waitForDeliveries();
  const [first, wrong, skewed] = post.received;
  expect(post.received).toHaveLength(6);
  expect(wrong?.headers["webhook-signature"]).not.toBe(first?.headers["webhook-signature"]);
  expect(wrong?.headers["webhook-timestamp"]).toBe(first?.headers["webhook-timestamp"]);
  expect(Number(skewed?.headers["webhook-timestamp"])).toBe(Number(first?.headers["webhook-timestamp"]) - 600);
  // With the stopped clock, a new signature for the same second is the same.
  expect(post.received[5]?.headers).toEqual(first?.headers);
});

test("doesn't retry what was resent", async () => {
  const { post, delivery } = await delivered(500);
  await post.pass("60m");
  expect(post.received).toHaveLength(3);
  post.emulator.deliveries.resend(delivery);
  await post.emulator.waitForDeliveries();
  await post.pass("60m");
  expect(post.received).toHaveLength(4);
  expect(post.emulator.deliveries.items[1]).toMatchObject({ state: "failed", dueAt: null });
});

test("rejects an unknown delivery, numbers out of range, and signing without a subscription", async () => {
  const { post, subscription, delivery } = await delivered();
  const { deliveries } = post.emulator;
  expect(() => deliveries.resend("wd_none")).toThrow("deliveries.resend: unknown delivery wd_none.");
  expect(() => deliveries.resend(delivery, { copies: 0 })).toThrow("copies: expected an integer from 1 to 100");
  expect(() => deliveries.resend(delivery, { skewSeconds: 0.5 })).toThrow("skewSeconds: expected an integer");
  await post.svc.webhookSubscriptions.delete(subscription);
  expect(() => deliveries.resend(delivery, { sign: true })).toThrow(ConfigError);
  deliveries.resend(delivery);
  await post.emulator.waitForDeliveries();
  expect(post.received).toHaveLength(2);
});
