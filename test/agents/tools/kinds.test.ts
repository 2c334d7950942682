import { describe, expect, test } from "vitest";
import { openai, openaiChat } from "../../../src/agents/adapters/openai.js";
import { ConfigError } from "../../../src/index.js";
import { rejectionOf } from "../../support/client.js";
import { bench, COUNT_WORDS } from "../support.js";

const REFUSED = expect.stringContaining("nothing ran");
const COMPLETE = {
  isIncomplete: false,
  incompleteReason: undefined,
  unanswered: [],
  pendingApprovals: [],
  authRequired: [],
  suspend: expect.any(Function),
};
const PROGRAM = { type: "program", caller_id: "prog_1" };

/** An item of each kind in which the model waits for the program, and the output that `run` returns. */
const WAITING: readonly (readonly [object, object])[] = [
  [
    { type: "function_call", call_id: "fc_1abc", name: COUNT_WORDS, arguments: '{"text":"one"}', caller: PROGRAM },
    { type: "function_call_output", call_id: "fc_1abc", output: expect.stringContaining('"words":1'), caller: PROGRAM },
  ],
  [
    { type: "function_call", call_id: "fc_1abc", name: COUNT_WORDS, arguments: '{"text":"one"}', caller: null },
    { type: "function_call_output", call_id: "fc_1abc", output: expect.stringContaining('"words":1') },
  ],
  [
    { type: "custom_tool_call", call_id: "ctc_1abc", name: "grep", input: "x", caller: { type: "direct" } },
    {
      type: "custom_tool_call_output",
      call_id: "ctc_1abc",
      output: expect.stringContaining('no tool named "custom tool grep"'),
      caller: { type: "direct" },
    },
  ],
  [
    { type: "shell_call", call_id: "sh_1", id: "sh_1", caller: PROGRAM, environment: { type: "local" } },
    {
      type: "shell_call_output",
      call_id: "sh_1",
      output: [{ stdout: "", stderr: REFUSED, outcome: { type: "exit", exit_code: 1 } }],
      caller: PROGRAM,
    },
  ],
  [
    { type: "local_shell_call", call_id: "ls_1", id: "item_1", action: {} },
    { type: "local_shell_call_output", id: "ls_1", output: REFUSED },
  ],
  [
    { type: "apply_patch_call", call_id: "ap_1", operation: {} },
    { type: "apply_patch_call_output", call_id: "ap_1", status: "failed", output: REFUSED },
  ],
  [
    { type: "tool_search_call", call_id: "ts_1", execution: "client", arguments: {} },
    { type: "tool_search_output", call_id: "ts_1", execution: "client", status: "completed", tools: [] },
  ],
  [
    { type: "mcp_approval_request", id: "mcpr_1", name: "x" },
    { type: "mcp_approval_response", approval_request_id: "mcpr_1", approve: false, reason: REFUSED },
  ],
];

describe("an item of OpenAI in which the model waits for the program is answered:", () => {
  test.each(WAITING)("%j", async (item, answer) => {
    const { tools } = await bench();
    const turn = await openai(tools).run({ output: [item] });
    const { results } = turn;
    expect(turn).toEqual({ ...COMPLETE, hasCalls: true, items: [item, answer], outputs: [answer], results });
  });

  test("by the option answer, if it returns something", async () => {
    const { tools } = await bench();
    const output = [
      { type: "shell_call", call_id: "sh_1" },
      { type: "computer_call", call_id: "cc_1" },
      { type: "local_shell_call", call_id: "ls_1", id: "item_1" },
    ];
    const screenshot = { type: "computer_call_output", call_id: "cc_1", output: { type: "computer_screenshot" } };
    const { outputs } = await openai(tools).run(
      { output },
      { answer: async (item) => (item.type === "computer_call" ? screenshot : undefined) },
    );
    expect(outputs).toMatchObject([{ type: "shell_call_output" }, screenshot, { type: "local_shell_call_output" }]);
  });

  test("asks the program for nothing in a dry run, after an abort, or beside an option that isn't one", async () => {
    const { tools } = await bench();
    const asked: object[] = [];
    const answer = (item: object) => void asked.push(item);
    const response = { output: [{ type: "shell_call", call_id: "sh_1" }] };
    expect(await openai(tools).run(response, { answer, dryRun: true })).toMatchObject({ results: [] });
    await rejectionOf(DOMException, openai(tools).run(response, { answer, signal: AbortSignal.abort() }));
    // @ts-expect-error A misspelled option.
    await rejectionOf(ConfigError, openai(tools).run(response, { answer, dryrun: true }));
    expect(asked).toEqual([]);
  });

  test("not if the service has answered it in the same response", async () => {
    const { tools } = await bench();
    const output = [
      { type: "shell_call", call_id: "sh_1" },
      { type: "shell_call_output", call_id: "sh_1" },
      { type: "apply_patch_call", call_id: "ap_1" },
      { type: "apply_patch_call_output", call_id: "ap_1" },
      { type: "local_shell_call", call_id: "ls_1", id: "item_1" },
      { type: "local_shell_call_output", id: "ls_1" },
      { type: "mcp_approval_request", id: "mcpr_1" },
      { type: "mcp_approval_response", approval_request_id: "mcpr_1", id: "mcpa_1" },
      { type: "tool_search_call", call_id: null, execution: "server" },
      { type: "program", call_id: "prog_1" },
    ];
    const turn = { ...COMPLETE, hasCalls: false, items: output, outputs: [], results: [] };
    expect(await openai(tools).run({ output })).toEqual(turn);
  });

  test("with an error that names it and comes before any call runs, if only a screenshot could", async () => {
    const { tools, executions } = await bench();
    const call = { type: "function_call", call_id: "a", name: COUNT_WORDS, arguments: '{"text":"one"}' };
    const output = [call, { type: "computer_call", call_id: "cc_1" }];
    await expect(openai(tools).run({ output })).rejects.toThrow("computer_call");
    expect(executions()).toBe(0);
  });
});

test("a custom call of Chat Completions is answered with the names that exist", async () => {
  const { tools } = await bench();
  const message = { tool_calls: [{ id: "call_k3j9x", type: "custom", custom: { name: "grep", input: "x" } }] };
  const { messages } = await openaiChat(tools).run({ choices: [{ message, finish_reason: "tool_calls" }] });
  expect(messages[1]).toMatchObject({ tool_call_id: "call_k3j9x", content: expect.stringContaining(COUNT_WORDS) });
});
