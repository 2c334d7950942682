import { expect, test } from "vitest";
import { type ModelRequest, scriptedModel } from "../../src/testing/index.js";
import { CREATE_ISSUE, ISSUE } from "../agents/support.js";
import { emulatorWithEnvironment, outputOf } from "./example-process.js";

test("the limits of a conversation hold after a hand-off to another provider's model", async (context) => {
  const LIST = "GITHUB_LIST_REPOSITORY_ISSUES";
  const { owner, repo } = ISSUE;
  // Both models count the ids of their calls from 1.
  const researcher = [
    { calls: [{ id: "call_1", name: LIST, arguments: { owner, repo } }] },
    { calls: [{ id: "call_2", name: "hand_off", arguments: { findings: "The build is broken." } }] },
  ];
  const writer = [
    { calls: [{ id: "call_1", name: CREATE_ISSUE, arguments: ISSUE }] },
    { calls: [{ id: "call_2", name: CREATE_ISSUE, arguments: { ...ISSUE, title: "Another one" } }] },
    "I opened one issue.",
  ];
  const turns = ({ provider }: ModelRequest) => (provider === "openai" ? researcher : writer).shift() ?? "done";
  const model = scriptedModel({ turns });
  const { env, close } = await model.serve();
  context.onTestFinished(close);
  const { emulator, environment } = await emulatorWithEnvironment(context);
  const variables = { ...environment, ...env, APPROVAL_SECRET: "an approval key for tests, 0123456789" };
  expect(await outputOf(["examples/hand-off/hand-off.ts"], variables)).toEqual([
    // The first model has read issues, so the second one's call needs an approval.
    "Run GITHUB_CREATE_AN_ISSUE, version 20251023_00",
    "I opened one issue.",
  ]);
  expect(model.requests.map(({ provider, problem }) => [provider, problem])).toEqual([
    ...Array(2).fill(["openai", undefined]),
    ...Array(3).fill(["anthropic", undefined]),
  ]);
  expect(model.requests[2]?.prompt).toContain("The build is broken.");
  // The budget counts the calls of both.
  expect(model.requests[4]?.outputs[0]?.text).toContain("budget");
  expect([LIST, CREATE_ISSUE].map((name) => emulator.tools.calls(name).length)).toEqual([1, 1]);
});
