import { describe, expect, onTestFinished, test } from "vitest";
import {
  ConfigError,
  createReceiver,
  type ReceiverOptions,
  type VerifyOptions,
  verifySignature,
  verifyWebhook,
} from "../../src/webhooks/index.js";
import { deliver, now, SECRET } from "./vectors.js";

const NO_OBJECT = "The options must be an object, such as { secret }, and no promise.";
const VERIFYING = "secret, secrets, secretEncoding, toleranceSeconds, now, maxBodyBytes, bodyTimeoutMs";

describe.each([
  ["verifyWebhook", verifyWebhook],
  ["verifySignature", verifySignature],
])("%s", (_name, verify) => {
  const { env } = process;

  test.each([
    ["a text", SECRET],
    ["a function", () => ({ secret: SECRET })],
    ["a promise", Promise.resolve({ secret: SECRET })],
    ["a list", [SECRET]],
    ["null", null],
  ])("refuses %s for options: nothing verifies with the environment's secret in its place", async (_what, options) => {
    Object.assign(process, { env: { ...env, SVC_WEBHOOK_SECRET: SECRET } });
    onTestFinished(() => void Object.assign(process, { env }));
    // Options that no type allows: JavaScript may pass them.
    const verification = verify(deliver({}), options as VerifyOptions);
    await expect(verification).rejects.toEqual(new ConfigError(NO_OBJECT));
  });

  test("refuses an option that it does not know, and names those that it does", async () => {
    const options: VerifyOptions = { secret: SECRET, now, ...{ tolerance: 5 } };
    await expect(verify(deliver({}), options)).rejects.toEqual(
      new ConfigError(`There is no option tolerance. The options are ${VERIFYING}.`),
    );
  });
});

describe("createReceiver", () => {
  const on = {};
  const onUnknown = () => undefined;
  /** Options that no type allows: JavaScript may pass them. */
  const make = (options: unknown) => () => createReceiver(options as ReceiverOptions);

  test.each(["onerror", "toleranceSecond", "handlerTimeout"])("refuses the option %s", (name) => {
    const known = `${VERIFYING}, on, onUnknown, onError, store, handlerTimeoutMs`;
    expect(make({ secret: SECRET, on, onUnknown, [name]: 1 })).toThrow(
      new ConfigError(`There is no option ${name}. The options are ${known}.`),
    );
  });

  test.each([SECRET, () => ({}), Promise.resolve({ secret: SECRET, on, onUnknown }), undefined, null])(
    "refuses %s for options",
    (options) => {
      expect(make(options)).toThrow(new ConfigError(NO_OBJECT));
    },
  );

  test.each(["github_commit_event", "Github_Commit_Event"])("refuses the slug %s, and spells it right", (slug) => {
    expect(make({ secret: SECRET, onUnknown, on: { [slug]: onUnknown } })).toThrow(
      new ConfigError(`createReceiver: on["${slug}"] would never run: write GITHUB_COMMIT_EVENT.`),
    );
  });

  test("refuses secrets that are no list, and says so", () => {
    expect(make({ secrets: SECRET, on, onUnknown })).toThrow(
      new ConfigError("secrets must be a list with at least one secret."),
    );
  });
});
