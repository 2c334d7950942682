import { describe, expect, test } from "vitest";
import { anthropic } from "../../../src/agents/adapters/anthropic.js";
import { google } from "../../../src/agents/adapters/google.js";
import { openai, openaiChat } from "../../../src/agents/adapters/openai.js";
import { sampled } from "../../support/size.js";
import type { Calls } from "../adapter-under-test.js";
import { TURN_ADAPTERS } from "../every-adapter.js";
import { bench, COUNT_WORDS, CREATE_ISSUE, ISSUE } from "../support.js";

async function* streamOf(...events: object[]): AsyncGenerator<object> {
  yield* events;
}

// biome-ignore lint/suspicious/noExplicitAny: responses that the libraries' types don't have.
type Any = any;

const copy = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value));
const ONE = { text: "one" };
const STYLES: [string, Calls][] = [
  [
    "no ids",
    [
      [undefined, ONE],
      [undefined, ONE],
    ],
  ],
  [
    "empty ids",
    [
      ["", ONE],
      ["", { text: "one two" }],
    ],
  ],
  [
    "ids that are counted",
    [
      ["call_0", ONE],
      ["call_1", ONE],
    ],
  ],
  [
    "ids of Kimi",
    [
      [`functions.${COUNT_WORDS}:0`, ONE],
      [`functions.${COUNT_WORDS}:1`, ONE],
    ],
  ],
  [
    "ids that are the tool's name",
    [
      [COUNT_WORDS, ONE],
      [COUNT_WORDS, ONE],
    ],
  ],
  [
    "unique ids",
    [
      ["call_Rk3vT9", ONE],
      ["3b0c9c1e-7d4f-4a7e-9b1d-0d8f6f1f9a10", ONE],
    ],
  ],
];

describe.each(Object.entries(TURN_ADAPTERS))("a turn of %s", (_, wire) => {
  describe.each(sampled(STYLES, 2))("with %s", (style, calls) => {
    test("runs every call, and returns calls and results under the same unique ids", async () => {
      const { tools, executions } = await bench();
      const turn = await wire.create(tools).run(wire.response("turn-1", calls));
      expect(turn.results.map(({ status }) => status)).toEqual(["succeeded", "succeeded"]);
      const ids = turn.results.map(({ callId }) => callId);
      expect(new Set(ids).size).toBe(2);
      expect(wire.ids(turn)).toEqual([...ids, ...ids]);
      expect(executions()).toBe(2);
    });

    test.each(["turn-1", undefined])(
      "runs nothing twice when it is resumed, whichever part was stored: %s",
      async (id) => {
        const { tools, executions } = await bench();
        const response = wire.response(id, calls);
        const turn = await wire.create(tools).run(response);
        const parts = [response, wire.stored(turn), copy(wire.stored(turn)), ...(id ? [copy(response)] : [])];
        for (const part of parts) {
          const again = await wire.create(tools).run(part);
          expect(again.results.map(({ isReplay }) => isReplay)).toEqual([true, true]);
          expect(wire.ids(again)).toEqual(wire.ids(turn));
        }
        expect(executions()).toBe(2);
      },
    );

    test("goes on from its ticket with the same ids, and runs nothing twice", async () => {
      const { tools, executions } = await bench();
      const turn = await wire.create(tools).run(wire.response("turn-1", calls));
      const ticket = copy(await turn.suspend([{ role: "user" }]));
      const resumed = await wire.create(tools).resume(ticket);
      expect(resumed.conversation).toEqual([{ role: "user" }]);
      expect(resumed.results.map(({ isReplay }) => isReplay)).toEqual([true, true]);
      expect(wire.ids(resumed)).toEqual(wire.ids(turn));
      expect(executions()).toBe(2);
    });

    test.each([
      ["turn-1", "turn-2", "turn-3"],
      [undefined, undefined, undefined],
    ])("isn't the turn before, with the same arguments and with others: %s", async (...turnIds) => {
      // Without an id of the turn, an equal call with an equal id can only be the same one.
      if (style === "unique ids" || (turnIds[0] === undefined && /counted|Kimi/.test(style))) return;
      const { tools, executions } = await bench();
      const others: Calls = calls.map(([id]) => [id, { text: "one two three" }]);
      const seen: unknown[] = [];
      for (const [index, id] of turnIds.entries()) {
        const turn = await wire.create(tools).run(wire.response(id, index === 2 ? others : calls));
        expect(turn.results.map(({ status, isReplay }) => [status, isReplay])).toEqual([
          ["succeeded", false],
          ["succeeded", false],
        ]);
        seen.push(...turn.results.map(({ callId }) => callId));
      }
      expect(executions()).toBe(6);
      expect(new Set(seen).size).toBe(6);
    });
  });

  test("keeps an id that is unique in the conversation, and replaces one that an earlier turn has used", async () => {
    const { tools } = await bench();
    const first = await wire.create(tools).run(wire.response("turn-1", [["call_1", ONE]]));
    expect(wire.ids(first)).toEqual(["call_1", "call_1"]);
    const second = await wire.create(tools).run(wire.response("turn-2", [["call_1", ONE]]));
    const [id = ""] = second.results.map(({ callId }) => callId);
    expect(id).toMatch(/^call_1\d+$/);
    expect(wire.ids(second)).toEqual([id, id]);
    // The other conversation has none of them.
    const { tools: other } = await bench({ conversationId: "another" });
    expect(wire.ids(await wire.create(other).run(wire.response("turn-2", [["call_1", ONE]])))).toEqual([
      "call_1",
      "call_1",
    ]);
  });

  test("keeps counted ids of a turn without an id, unless an earlier call of the conversation was another one", async () => {
    const { tools, executions } = await bench();
    const turnOf = (text: string) => wire.response(undefined, [["call_1", { text }]]);
    const first = await wire.create(tools).run(turnOf("one"));
    expect(wire.ids(first)).toEqual(["call_1", "call_1"]);
    const second = await wire.create(tools).run(turnOf("one two"));
    const [id = ""] = second.results.map(({ callId }) => callId);
    expect(id).toMatch(/^call_1\d+$/);
    expect(wire.ids(second)).toEqual([id, id]);
    for (const again of [turnOf("one"), turnOf("one two"), copy(wire.stored(first)), copy(wire.stored(second))]) {
      expect((await wire.create(tools).run(again)).results).toMatchObject([{ isReplay: true }]);
    }
    expect(executions()).toBe(2);
  });

  test("runs both of two calls with the same opaque id, which go back under two ids", async () => {
    const { tools, executions } = await bench();
    const twice: Calls = [
      ["toolu_01AbCdEfGh", ONE],
      ["toolu_01AbCdEfGh", { text: "one two" }],
    ];
    const turn = await wire.create(tools).run(wire.response("turn-1", twice));
    expect(turn.results.map(({ text }) => JSON.parse(text))).toMatchObject([{ words: 1 }, { words: 2 }]);
    const [first, second] = turn.results.map(({ callId }) => callId);
    expect(first).toBe("toolu_01AbCdEfGh");
    expect(second).not.toBe(first);
    expect(wire.ids(turn)).toEqual([first, second, first, second]);
    await wire.create(tools).run(copy(wire.stored(turn)));
    expect(executions()).toBe(2);
  });

  test("keeps ids if the store of executions fails", async () => {
    const broken = () => Promise.reject(new Error("The store is down."));
    const { tools, executions } = await bench({ executions: { find: broken, start: broken, finish: broken } });
    const turn = await wire.create(tools).run(wire.response("turn-1", [["call_1", ONE]]));
    expect(turn.results).toMatchObject([{ callId: "call_1", status: "not_run" }]);
    expect(executions()).toBe(0);
  });
});

test("outputs of OpenAI have the ids that the service gave, and items have unique ones", async () => {
  const { tools } = await bench();
  const item = { type: "function_call", call_id: "call_0", name: COUNT_WORDS, arguments: '{"text":"one"}' };
  for (const id of ["resp_1", "resp_2"]) {
    const { outputs, items } = await openai(tools).run({ id, output: [item] });
    expect(outputs).toMatchObject([{ call_id: "call_0" }]);
    expect(items[1]).toEqual({ ...outputs[0], call_id: Reflect.get(items[0] ?? {}, "call_id") });
  }
});

describe("a call that wasn't seen to end isn't run:", () => {
  const CUT = { status: "not_run", text: expect.stringContaining("cut off") };
  const header = (index: number, args = "") => ({
    choices: [
      { delta: { tool_calls: [{ index, id: `call_${index}abc`, function: { name: COUNT_WORDS, arguments: args } }] } },
    ],
  });

  test.each(["length", "content_filter"])("headers of Chat Completions before %s", async (finish_reason) => {
    const { tools, executions } = await bench();
    const end = { choices: [{ delta: {}, finish_reason }] };
    const { results } = await openaiChat(tools).run(streamOf(header(0), header(1), end));
    expect(results).toMatchObject([CUT, CUT]);
    const whole = await openaiChat(tools).run(streamOf(header(0, '{"text":"one"}'), header(1, '{"text":"on'), end));
    expect(whole.results).toMatchObject([{ status: "succeeded" }, CUT]);
    expect(executions()).toBe(1);
  });

  test("calls of Chat Completions in a stream without a finish_reason", async () => {
    const { tools, executions } = await bench();
    const { results } = await openaiChat(tools).run(streamOf(header(0, '{"text":"one"}'), header(1)));
    expect(results).toMatchObject([CUT, CUT]);
    expect(executions()).toBe(0);
  });

  const block = (index: number) => ({
    type: "content_block_start",
    index,
    content_block: { type: "tool_use", id: `toolu_0${index}abc`, name: COUNT_WORDS, input: {} },
  });
  const json = (index: number) => ({
    type: "content_block_delta",
    index,
    delta: { type: "input_json_delta", partial_json: '{"text":"one"}' },
  });
  const stop = (index: number) => ({ type: "content_block_stop", index });
  const ended = (stop_reason: string) => ({ type: "message_delta", delta: { stop_reason } });

  test.each(["max_tokens", "tool_use"])("blocks of Anthropic without their end, before %s", async (reason) => {
    const { tools, executions } = await bench();
    const stream = streamOf(block(0), block(1), json(1), block(2), json(2), stop(2), block(3), ended(reason));
    const { results } = await anthropic(tools).run(stream);
    expect(results).toMatchObject([CUT, CUT, { status: "succeeded" }, CUT]);
    expect(executions()).toBe(1);
  });

  test("blocks of Anthropic in a stream that breaks off", async () => {
    const { tools, executions } = await bench();
    const { results } = await anthropic(tools).run(streamOf(block(0), json(0), stop(0), block(1)));
    expect(results).toMatchObject([CUT, CUT]);
    expect(executions()).toBe(0);
  });

  test("parts of Gemini in a stream without a finishReason", async () => {
    const { tools, executions } = await bench();
    const parts = [{ functionCall: { name: CREATE_ISSUE, args: ISSUE } }];
    const { results } = await google(tools).run(streamOf({ candidates: [{ content: { parts } }] }) as Any);
    expect(results).toMatchObject([CUT]);
    const again = { candidates: [{ content: { parts: structuredClone(parts) } }] };
    const whole = streamOf(again, { candidates: [{ finishReason: "STOP" }] });
    expect((await google(tools).run(whole as Any)).results).toMatchObject([{ status: "succeeded" }]);
    expect(executions()).toBe(1);
  });

  test("items of an incomplete response of OpenAI", async () => {
    const { tools, executions } = await bench();
    const item = { type: "function_call", name: COUNT_WORDS, arguments: '{"text":"one"}' };
    const output = [
      { ...item, call_id: "a", status: "completed" },
      { ...item, call_id: "b" },
      { ...item, call_id: "c", status: "in_progress" },
    ];
    const { results } = await openai(tools).run({ status: "incomplete", output } as Any);
    expect(results).toMatchObject([{ status: "succeeded" }, CUT, CUT]);
    expect(executions()).toBe(1);
  });

  test("items of OpenAI in a stream without its final event", async () => {
    const { tools, executions } = await bench();
    const item = { type: "function_call", call_id: "a", name: COUNT_WORDS, arguments: '{"text":"one"}' };
    await expect(openai(tools).run(streamOf({ type: "response.output_item.done", item }))).rejects.toThrow(
      "not finished",
    );
    await expect(openai(tools).run(streamOf())).rejects.toThrow("not finished");
    expect(executions()).toBe(0);
  });
});
