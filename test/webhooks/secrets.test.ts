import { describe, expect, test, vi } from "vitest";
import { ConfigError, createReceiver, type VerifyOptions, verifyWebhook } from "../../src/webhooks/index.js";
import { TRIGGER_V3 } from "./samples.js";
import { deliver, now } from "./vectors.js";

/** A receiver whose secrets come from a function, and how often it was called. */
function setUp(read: () => readonly string[] | Promise<readonly string[]>, options: VerifyOptions = {}) {
  const secrets = vi.fn(read);
  const errors: unknown[] = [];
  const indexes: number[] = [];
  const receiver = createReceiver({
    secrets,
    now,
    on: {},
    onUnhandled: ({ secretIndex }) => indexes.push(secretIndex),
    onError: (error) => errors.push(error),
    ...options,
  });
  let count = 0;
  const receive = async (secret: string) => {
    count += 1;
    return (await receiver(deliver(TRIGGER_V3, { id: `msg_${count}`, secret }))).status;
  };
  return { receive, secrets, errors, indexes };
}

describe("a function of secrets", () => {
  test("is called for the first delivery, and not again while deliveries match", async () => {
    const { receive, secrets, indexes } = setUp(async () => ["new", "old"]);
    expect(secrets).not.toHaveBeenCalled();
    expect(await Promise.all([receive("old"), receive("new"), receive("old")])).toEqual([200, 200, 200]);
    expect(secrets).toHaveBeenCalledTimes(1);
    expect(indexes.sort()).toEqual([0, 1, 1]);
  });

  test("is called again if nothing matches, so a rotated secret works at once", async ({ onTestFinished }) => {
    vi.useFakeTimers({ toFake: ["performance"] });
    onTestFinished(() => void vi.useRealTimers());
    let known = ["old"];
    const { receive, secrets } = setUp(() => known);
    expect(await receive("old")).toBe(200);
    known = ["new", "old"];
    vi.advanceTimersByTime(1_000);
    expect(await Promise.all([receive("new"), receive("new"), receive("old")])).toEqual([200, 200, 200]);
    expect(secrets).toHaveBeenCalledTimes(2);
    known = ["new"];
    expect(await receive("old")).toBe(200);
    vi.advanceTimersByTime(1_000);
    expect([await receive("forged"), await receive("old")]).toEqual([401, 401]);
    expect(secrets).toHaveBeenCalledTimes(3);
  });

  test("is called at most once per second, however many forged deliveries arrive", async ({ onTestFinished }) => {
    vi.useFakeTimers({ toFake: ["performance"] });
    onTestFinished(() => void vi.useRealTimers());
    const { receive, secrets } = setUp(async () => ["secret"]);
    for (let second = 0; second < 3; second += 1) {
      expect(new Set(await Promise.all(Array.from({ length: 50 }, () => receive("forged"))))).toEqual(new Set([401]));
      vi.advanceTimersByTime(1_000);
    }
    expect(secrets).toHaveBeenCalledTimes(3);
  });

  test("makes the receiver respond 500 while it fails, and is called again after a second", async ({
    onTestFinished,
  }) => {
    vi.useFakeTimers({ toFake: ["performance"] });
    onTestFinished(() => void vi.useRealTimers());
    const read = vi.fn(async () => ["secret"]).mockRejectedValueOnce(new Error("the vault is sealed"));
    const { receive, secrets, errors } = setUp(read);
    expect(await Promise.all([receive("secret"), receive("secret")])).toEqual([500, 500]);
    expect(errors).toEqual([new Error("the vault is sealed"), new Error("the vault is sealed")]);
    expect(await receive("secret")).toBe(500);
    expect(secrets).toHaveBeenCalledTimes(1);
    vi.advanceTimersByTime(1_000);
    expect(await receive("secret")).toBe(200);
  });

  test("makes the receiver respond 500 if it never settles", async () => {
    const { receive, errors } = setUp(() => new Promise(() => {}), { bodyTimeoutMs: 20 });
    expect(await receive("secret")).toBe(500);
    const message =
      "createReceiver: secrets() took longer than bodyTimeoutMs (20 ms). Check the connection to the secrets.";
    expect(errors).toMatchObject([{ name: "ConfigError", message }]);
  });

  test.each([
    [[], "secrets() must be an array with at least one secret."],
    [undefined, "secrets() must be an array with at least one secret."],
    [
      ["secret", ""],
      "secrets()[1] is empty. Pass the secret that creating or rotating the webhook subscription returned.",
    ],
  ])("that returns %j makes the receiver respond 500, and onError says why", async (odd, message) => {
    const { receive, errors } = setUp(() => odd as string[]);
    expect(await receive("secret")).toBe(500);
    expect(errors).toEqual([new ConfigError(`createReceiver: ${message}`)]);
  });

  test("works in verifyWebhook, which calls it once per delivery", async () => {
    const secrets = vi.fn(async () => ["new", "old"]);
    const verify = (secret: string) => verifyWebhook(deliver(TRIGGER_V3, { secret }), { secrets, now });
    expect(await verify("old")).toMatchObject({ secretIndex: 1 });
    await expect(verify("forged")).rejects.toMatchObject({ reason: "no_match" });
    expect(secrets).toHaveBeenCalledTimes(2);
  });
});
