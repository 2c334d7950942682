import { type Content, GoogleGenAI } from "@google/genai";
import { describe } from "vitest";
import { google } from "../../../src/agents/adapters/google.js";
import { describeLoop } from "./loops.js";
import { startModel } from "./model-server.js";

const model = await startModel();
const client = new GoogleGenAI({ apiKey: "test", httpOptions: { baseUrl: model.url } });

const limits = { knowsCutCalls: true, brokenJson: "never", propertyNames: /^[A-Za-z_][A-Za-z0-9_]{0,63}$/ } as const;

describe("Gemini", () => {
  describeLoop(
    "whole",
    model,
    async ({ tools }, signal) => {
      const { definitions, run } = google(tools);
      const contents: Content[] = [{ role: "user", parts: [{ text: "Do it." }] }];
      const config = { tools: definitions };
      let response = await client.models.generateContent({ model: "m", contents, config });
      for (let turn = await run(response, { signal }); turn.hasCalls; turn = await run(response, { signal })) {
        contents.push(...turn.contents);
        response = await client.models.generateContent({ model: "m", contents, config });
      }
      return response.text ?? "";
    },
    limits,
  );

  describeLoop(
    "streamed",
    model,
    async ({ tools }, signal) => {
      const { definitions, run } = google(tools);
      const contents: Content[] = [{ role: "user", parts: [{ text: "Do it." }] }];
      const config = { tools: definitions };
      const ask = () => client.models.generateContentStream({ model: "m", contents, config });
      let turn = await run(await ask(), { signal });
      for (; turn.hasCalls; turn = await run(await ask(), { signal })) contents.push(...turn.contents);
      return turn.contents[0]?.parts.map((part) => ("text" in part ? part.text : "")).join("") ?? "";
    },
    limits,
  );

  describeLoop(
    "with the library's own loop",
    model,
    async ({ tools }) => {
      const { callable } = google(tools);
      const contents = "Do it.";
      const { text } = await client.models.generateContent({ model: "m", contents, config: { tools: [callable] } });
      return text ?? "";
    },
    { ...limits, knowsCutCalls: false, unknownTools: "never", ignoresSignals: true },
  );
});
