import { describe, expect, test } from "vitest";
import { tool } from "../../../src/agents/index.js";
import { rejection } from "../../support/client.js";
import { sampled } from "../../support/size.js";
import { type Bench, bench, COUNT_WORDS, CREATE_ISSUE, deciding, ISSUE } from "../support.js";
import type { LoopLimits } from "./loop-limits.js";
import type { TestModel } from "./model-server.js";

/** Runs a library's own loop with a toolset until the model calls nothing anymore, and returns its last text. */
export type Loop = (bench: Bench, signal?: AbortSignal) => Promise<string>;

/** A name and property names that no provider accepts as they are. */
const oddTool = (seen: unknown[]) =>
  tool({
    name: "Größe.ändern/jetzt",
    description: "Changes a size.",
    parameters: {
      type: "object",
      properties: { "größe in cm": { type: "number" }, note: { type: "string" } },
      required: ["größe in cm"],
    },
    execute: (args) => {
      seen.push(args);
      return { changed: true };
    },
  });

/** Defines a test only for the libraries it applies to, so that none is skipped for good. */
function testIf(applies: boolean): (title: string, run: () => Promise<void>) => void {
  return (title, run) => {
    if (applies) test(title, run);
  };
}

/** The contract of every adapter, through its library's real loop. */
export function describeLoop(title: string, model: TestModel, loop: Loop, limits: LoopLimits = {}): void {
  describe(title, () => {
    test("runs parallel calls and answers each once, in order", async () => {
      const made = await bench();
      model.script({
        text: "Two things.",
        calls: [
          { id: "call_a", name: CREATE_ISSUE, arguments: ISSUE },
          { id: "call_b", name: COUNT_WORDS, arguments: { text: "one two three" } },
        ],
      });
      expect(await loop(made)).toBe("done");
      expect(model.requests[1]?.outputs.map(({ text }) => JSON.parse(text))).toMatchObject([
        { title: ISSUE.title },
        { words: 3 },
      ]);
      expect(made.executions()).toBe(2);
      const ids = new Set(made.events.map(({ callId }) => callId));
      if (limits.passesNoIds) expect(ids.size).toBe(2);
      // The model's own ids: by them a call runs once.
      else
        expect(ids, "ids of calls: pass them on, or set passesNoIds of LoopLimits").toEqual(
          new Set(["call_a", "call_b"]),
        );
    });

    test("goes on over several turns", async () => {
      const made = await bench();
      model.script(
        { calls: [{ name: COUNT_WORDS, arguments: { text: "one" } }] },
        { calls: [{ name: COUNT_WORDS, arguments: { text: "one two" } }] },
      );
      expect(await loop(made)).toBe("done");
      expect(model.requests.map(({ outputs }) => outputs.length)).toEqual([0, 1, 1]);
    });

    test("runs each turn's calls, also if their ids start again in each turn", async () => {
      const made = await bench();
      const ids = sampled(["call_0", `functions.${COUNT_WORDS}:0`, COUNT_WORDS], 3);
      for (const id of ids) {
        const turns = ["one", "one", "one two"].map((text) => {
          return { calls: [{ id, name: COUNT_WORDS, arguments: { text } }] };
        });
        // A conversation per turn, or all in one.
        for (const script of limits.answersIdsOnce ? turns.map((turn) => [turn]) : [turns]) {
          model.script(...script);
          expect(await loop(made)).toBe("done");
        }
      }
      expect(made.executions()).toBe(3 * ids.length);
      expect(made.events.some((event) => "isReplay" in event && event.isReplay)).toBe(false);
    });

    testIf(limits.brokenJson !== "never")("answers broken JSON, and the model corrects itself", async () => {
      const made = await bench();
      const broken = '{"owner": "octo-org", "repo": "hello-wor';
      model.script(
        { calls: [{ name: CREATE_ISSUE, arguments: broken }] },
        { calls: [{ name: CREATE_ISSUE, arguments: ISSUE }] },
      );
      expect(await loop(made)).toBe("done");
      const { text } = model.requests[1]?.outputs[0] ?? {};
      expect(text, "or set brokenJson of LoopLimits").toMatch(limits.brokenJson ? /./ : /aren't valid JSON/);
      expect(made.executions()).toBe(1);
    });

    test("takes null for an optional argument as absent", async () => {
      const made = await bench();
      model.script({ calls: [{ name: CREATE_ISSUE, arguments: { ...ISSUE, body: null, labels: null } }] });
      expect(await loop(made)).toBe("done");
      expect(JSON.parse(model.requests[1]?.outputs[0]?.text ?? "")).toMatchObject({ number: expect.any(Number) });
    });

    test("gives the model legal names and restores the tool's own", async () => {
      const seen: unknown[] = [];
      const made = await bench({ tools: [oddTool(seen)] });
      model.script();
      await loop(made);
      const { name, schema } = definitionIn(model.requests[0]?.body ?? {});
      expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
      const size = Object.keys(Object(schema["properties"])).find((key) => key !== "note") ?? "";
      const advice =
        'give the adapter the target of this API, such as { target: "openai" }, or set propertyNames of LoopLimits';
      expect(size, advice).toMatch(limits.propertyNames ?? /^größe in cm$/);
      model.script({ calls: [{ name, arguments: { [size]: 7, note: null } }] });
      expect(await loop(made)).toBe("done");
      expect(seen).toEqual([{ "größe in cm": 7 }]);
    });

    test("answers wrong types with what was expected", async () => {
      const made = await bench();
      model.script({ calls: [{ name: CREATE_ISSUE, arguments: { ...ISSUE, title: { text: "x" } } }] });
      expect(await loop(made)).toBe("done");
      expect(model.requests[1]?.outputs[0]?.text).toContain("title: expected a string, received object");
      expect(made.executions()).toBe(0);
    });

    testIf(limits.knowsCutCalls === true)("doesn't run a call that the output limit cut off", async () => {
      const made = await bench();
      model.script({
        isIncomplete: true,
        calls: [
          { name: COUNT_WORDS, arguments: {} },
          { name: CREATE_ISSUE, arguments: ISSUE },
        ],
      });
      expect(await loop(made)).toBe("done");
      expect(model.requests[1]?.outputs[1]?.text).toContain("cut off");
      expect(made.executions()).toBe(0);
    });

    test("answers a denied call", async () => {
      const made = await bench({ policy: deciding(() => ({ outcome: "deny", reason: "Issues are frozen." })) });
      model.script({ calls: [{ name: CREATE_ISSUE, arguments: ISSUE }] });
      expect(await loop(made)).toBe("done");
      expect(model.requests[1]?.outputs[0]?.text).toContain("Issues are frozen.");
      expect(made.executions()).toBe(0);
    });

    testIf(limits.unknownTools !== "never")("answers an unknown tool", async () => {
      const made = await bench();
      model.script({ calls: [{ name: "parallel", arguments: { tool_uses: [] } }] });
      expect(await loop(made)).toBe("done");
      const { text } = model.requests[1]?.outputs[0] ?? {};
      expect(text, "or set unknownTools of LoopLimits").toMatch(limits.unknownTools ? /parallel/ : COUNT_WORDS);
      expect(made.executions()).toBe(0);
    });

    test("tells the model and the program about an expired account", async () => {
      const reasons: string[] = [];
      const made = await bench({
        userId: "user-expired",
        onAuthRequired: ({ reason }) => {
          reasons.push(reason);
        },
      });
      model.script({ calls: [{ name: CREATE_ISSUE, arguments: ISSUE }] });
      expect(await loop(made)).toBe("done");
      expect(model.requests[1]?.outputs[0]?.text).toContain("has expired");
      expect(reasons).toEqual(["expired"]);
    });

    testIf(!limits.ignoresSignals)("ends with the reason of a cancelled run", async () => {
      const controller = new AbortController();
      const made = await bench({
        policy: deciding(() => {
          controller.abort(new Error("the user left"));
          return { outcome: "allow" };
        }),
      });
      model.script({ calls: [{ name: CREATE_ISSUE, arguments: ISSUE }] });
      const error = await rejection(loop(made, controller.signal));
      expect(String(error)).toMatch(/the user left|abort/i);
      expect(made.executions()).toBe(0);
    });
  });
}

/** The first tool of a request, whatever its wire. */
function definitionIn(body: Readonly<Record<string, unknown>>): {
  name: string;
  schema: Record<string, unknown>;
} {
  const [first]: Record<string, unknown>[] = Object(body["tools"]);
  const { function: nested, functionDeclarations }: Record<string, unknown> = Object(first);
  const definition: Record<string, unknown> = Object(nested ?? Object(functionDeclarations)[0] ?? first);
  const schema = definition["parameters"] ?? definition["input_schema"] ?? definition["parametersJsonSchema"];
  return { name: String(definition["name"]), schema: Object(schema) };
}
