import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import Anthropic from "@anthropic-ai/sdk";
import { describe, expect, onTestFinished, test } from "vitest";
import { anthropic } from "../../../src/agents/adapters/anthropic.js";
import type { Toolset } from "../../../src/agents/index.js";
import { rejection } from "../../support/client.js";
import { TURN_ADAPTERS } from "../every-adapter.js";
import { bench, COUNT_WORDS } from "../support.js";
import { startModel } from "./model-server.js";

/** A provider that sends one event and then nothing, and reports when its client has closed the connection. */
async function stalling() {
  let close: () => void;
  const closed = new Promise<void>((resolve) => {
    close = resolve;
  });
  const server = createServer((request, response) => {
    response.on("close", () => close());
    request.resume();
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write('event: ping\ndata: {"type": "ping", "choices": [], "candidates": []}\n\n');
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, closed };
}

const request = { model: "m", max_tokens: 5 };
type Start = (url: string, tools: Toolset, signal: AbortSignal) => Promise<unknown>;
const anthropicAt = (url: string) => new Anthropic({ baseURL: url, apiKey: "test", maxRetries: 0 });

/** Starts a stream of each adapter's library. */
const STARTS = Object.entries(TURN_ADAPTERS).map(([name, { program }]): readonly [string, Start] => [
  name,
  (url, tools, signal) => program(url).stream(tools, signal),
]);

const startMessages: Start = (url, tools, signal) =>
  anthropic(tools).run(anthropicAt(url).messages.stream({ ...request, messages: [] }), { signal });

describe("a stream that stalls", () => {
  test.each([...STARTS, ["anthropic with messages.stream", startMessages] as const])(
    "closes its connection when the signal aborts: %s",
    async (_, start) => {
      const { tools } = await bench();
      const { url, closed } = await stalling();
      const aborting = new AbortController();
      const reason = new Error("The user left.");
      const ended = rejection(start(url, tools, aborting.signal));
      // The stream has begun by then, or begins with the aborted signal.
      setImmediate(() => setImmediate(() => aborting.abort(reason)));
      await ended;
      await closed;
    },
  );
});

describe("Anthropic's messages.stream(), which fails if a call's arguments aren't JSON", async () => {
  const model = await startModel();
  const client = anthropicAt(model.url);

  test.each(['{"text": oops}', '{"text": "one"} // a comment', '{"text": "\\q"}'])(
    "tells the model, runs nothing, and the loop goes on: %s",
    async (broken) => {
      // Their types can't be called as one.
      for (const api of [client.messages, client.beta.messages] as (typeof client.messages)[]) {
        const { tools, executions } = await bench();
        const { definitions, run } = anthropic(tools);
        const call = (args: unknown) => ({ name: COUNT_WORDS, arguments: args });
        model.script(
          { text: "Let me see.", calls: [call({ text: "one" }), call(broken), call({ text: "one two" })] },
          { calls: [call({ text: "one two three" })] },
        );
        const messages: Anthropic.MessageParam[] = [{ role: "user", content: "Do it." }];
        const ask = () => api.stream({ ...request, messages, tools: definitions });
        const turn = await run(ask());
        expect(turn.results.map(({ status, text }) => [status, text.replace(/ They aren't valid JSON.*/, "")])).toEqual(
          [
            ["not_run", expect.stringContaining("cut off")],
            ["not_run", expect.stringContaining("must be a JSON object")],
          ],
        );
        expect(JSON.stringify(turn.messages)).toContain("Let me see.");
        expect(executions()).toBe(0);
      }
    },
  );

  test("still rejects if the connection breaks in a call", async () => {
    const { tools } = await bench();
    const start = { type: "tool_use", id: "toolu_01abc", name: COUNT_WORDS, input: {} };
    const broken = new Error("terminated");
    async function* breaking(): AsyncGenerator<object> {
      yield { type: "content_block_start", index: 0, content_block: start };
      yield { type: "content_block_delta", index: 0, delta: { type: "input_json_delta", partial_json: '{"te' } };
      throw broken;
    }
    expect(await rejection(anthropic(tools).run(breaking()))).toBe(broken);
  });
});

describe("Anthropic's create() with a stream of eager arguments", async () => {
  const model = await startModel();
  const client = anthropicAt(model.url);

  test.each(['{"text": "one', '{"text": oops}', '["one"]', '"one"', "null"])(
    "tells the model about arguments that aren't a JSON object, runs nothing, and goes on: %s",
    async (broken) => {
      const { tools, executions } = await bench();
      const { definitions, run } = anthropic(tools, { eagerInputStreaming: true });
      model.script({
        calls: [
          { name: COUNT_WORDS, arguments: broken },
          { name: COUNT_WORDS, arguments: { text: "one" } },
        ],
      });
      const messages: Anthropic.MessageParam[] = [{ role: "user", content: "Do it." }];
      const ask = () => client.messages.create({ ...request, messages, tools: definitions, stream: true });
      const { results, messages: added } = await run(await ask());
      expect(model.requests[0]?.body["tools"]).toMatchObject([{}, { eager_input_streaming: true }]);
      expect(results).toMatchObject([
        { status: "not_run", text: expect.stringContaining("must be a JSON object, so nothing ran.") },
        { status: "succeeded", data: { words: 1 } },
      ]);
      messages.push(...added);
      expect(await run(await ask())).toMatchObject({ hasCalls: false });
      expect(executions()).toBe(1);
    },
  );
});
