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

const notAnObject = (operation: string) =>
  `${operation}: the options must be an object, such as { secret }. If you passed a promise, await it.`;
const VERIFYING = "secret, secrets, secretEncoding, toleranceSeconds, now, maxBodyBytes, bodyTimeoutMs";

describe.each([
  ["verifyWebhook", verifyWebhook],
  ["verifySignature", verifySignature],
])("%s", (name, verify) => {
  const { env } = process;

  test.each([
    ["a string", SECRET],
    ["a function", () => ({ secret: SECRET })],
    ["a promise", Promise.resolve({ secret: SECRET })],
    ["an array", [SECRET]],
    ["null", null],
  ])("rejects %s as options instead of verifying with the environment's secret", async (_what, options) => {
    Object.assign(process, { env: { ...env, SVC_WEBHOOK_SECRET: SECRET } });
    onTestFinished(() => void Object.assign(process, { env }));
    // The types forbid these options, but JavaScript can pass them.
    const verification = verify(deliver({}), options as VerifyOptions);
    await expect(verification).rejects.toEqual(new ConfigError(notAnObject(name)));
  });

  test.each([
    ["tolerance", "Did you mean toleranceSeconds?"],
    ["clock", `The options are ${VERIFYING}.`],
  ])("rejects the unknown option %s, and says which was meant, or lists the valid ones", async (wrong, advice) => {
    const options: VerifyOptions = { secret: SECRET, now, ...{ [wrong]: 5 } };
    await expect(verify(deliver({}), options)).rejects.toEqual(
      new ConfigError(`${name}: Unknown option ${wrong}. ${advice}`),
    );
  });
});

describe("createReceiver", () => {
  const on = {};
  const onUnhandled = () => undefined;
  /** The types forbid some of these options, but JavaScript can pass them. */
  const make = (options: unknown) => () => createReceiver(options as ReceiverOptions);

  test.each([
    ["onerror", "Did you mean onError?"],
    ["toleranceSecond", "Did you mean toleranceSeconds?"],
    ["handlerTimeout", "Did you mean handlerTimeoutMs?"],
    ["clock", `The options are ${VERIFYING}, on, onUnhandled, onError, triggerSlugs, store, handlerTimeoutMs.`],
  ])("rejects the option %s", (name, advice) => {
    expect(make({ secret: SECRET, on, onUnhandled, [name]: 1 })).toThrow(
      new ConfigError(`createReceiver: Unknown option ${name}. ${advice}`),
    );
  });

  test.each([SECRET, () => ({}), Promise.resolve({ secret: SECRET, on, onUnhandled }), undefined, null])(
    "rejects %s as options",
    (options) => {
      expect(make(options)).toThrow(new ConfigError(notAnObject("createReceiver")));
    },
  );

  test.each([{ onError: "log" }, { handlerTimeoutMs: "9000" }, { bodyTimeoutMs: "9000" }])("rejects %j", (option) => {
    const [name = ""] = Object.keys(option);
    expect(make({ secret: SECRET, on, onUnhandled, ...option })).toThrow(`createReceiver: ${name} must be a `);
  });

  test.each(["github_commit_event", "Github_Commit_Event"])(
    "rejects the slug %s and names it in upper case",
    (slug) => {
      expect(make({ secret: SECRET, onUnhandled, on: { [slug]: onUnhandled } })).toThrow(
        new ConfigError(`createReceiver: on["${slug}"] would never run. Write GITHUB_COMMIT_EVENT.`),
      );
    },
  );

  test.each([Promise.resolve({}), new Map([["GITHUB_COMMIT_EVENT", onUnhandled]]), []])(
    "rejects %s as handlers, which would leave every delivery unhandled",
    (handlers) => {
      expect(make({ secret: SECRET, onUnhandled, on: handlers })).toThrow(
        new ConfigError(
          "createReceiver: on must be a plain object. Pass the handlers, or {} if onUnhandled handles everything.",
        ),
      );
    },
  );

  test("rejects secrets that aren't an array", () => {
    expect(make({ secrets: SECRET, on, onUnhandled })).toThrow(
      new ConfigError("createReceiver: secrets must be an array with at least one secret."),
    );
  });
});
