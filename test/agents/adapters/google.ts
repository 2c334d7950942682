import { type Content, GoogleGenAI } from "@google/genai";
import { google } from "../../../src/agents/adapters/google.js";
import type { TurnTicket } from "../../../src/agents/index.js";
import {
  type AdaptersUnderTest,
  type Any,
  CUT_TEXT,
  DEFER_ADVICE,
  type MadeForTurns,
  PROMPT,
  type ProviderProgram,
  runOptions,
  suspended,
  type TurnAdapter,
} from "../adapter-under-test.js";
import { COUNT_WORDS } from "../support.js";

const content = { parts: [{ text: CUT_TEXT }] };
const cut = { candidates: [{ content, finishReason: "MAX_TOKENS" }] };

const gemini: TurnAdapter = {
  create: (tools, options) => google(tools, options) as MadeForTurns,
  passesText: false,
  list: "candidates",
  mostTools: 512,
  advice: DEFER_ADVICE,
  search: "find_tools",
  offered: ([{ functionDeclarations }]: Any) => functionDeclarations,
  nameOf: ({ name }: Any) => name,
  response: (responseId, calls) => {
    const parts = calls.map(([id, args, name = COUNT_WORDS]) => ({ functionCall: { id, name, args } }));
    return { responseId, candidates: [{ content: { parts } }] };
  },
  cut: { response: cut, events: [cut], reason: "MAX_TOKENS" },
  said: { candidates: [{ content, finishReason: "STOP" }] },
  stored: ({ contents: [content] }: Any) => ({ candidates: [{ content }] }),
  ids: ({ contents: [own, answer] }: Any) => [
    ...own.parts.map(({ functionCall }: Any) => functionCall.id),
    ...answer.parts.map(({ functionResponse }: Any) => functionResponse.id),
  ],
  program: (url) => programOf(new GoogleGenAI({ apiKey: "test", httpOptions: { baseUrl: url } })),
};

function programOf({ models }: GoogleGenAI): ProviderProgram {
  return {
    async suspend(tools, stream) {
      const { definitions, run } = google(tools);
      const contents: Content[] = [{ role: "user", parts: [{ text: PROMPT }] }];
      const request = { model: "m", contents, config: { tools: definitions } };
      if (!stream) return suspended(await run(await models.generateContent(request)), contents);
      return suspended(await run(await models.generateContentStream(request)), contents);
    },
    async resume(tools, text, options) {
      const { definitions, resume } = google(tools);
      const ticket: TurnTicket<Content> = JSON.parse(text);
      const turn = await resume(ticket, options);
      const goOn = async () => {
        const contents = turn.conversation;
        contents.push(...turn.contents);
        const request = { model: "m", contents, config: { tools: definitions } };
        return (await models.generateContent(request)).text ?? "";
      };
      return { turn, goOn };
    },
    // With the signal in its request too.
    async stream(tools, signal) {
      const request = { model: "m", contents: "x", config: { abortSignal: signal } };
      return google(tools).run(await models.generateContentStream(request), { signal });
    },
  };
}

export const adapters: AdaptersUnderTest = {
  guide: { page: "gemini", title: "Gemini", about: "Google's SDK", packages: ["@google/genai"] },
  turns: { google: gemini },
  options: (tools) => ({
    google: { call: (o) => google(tools, o), good: { defer: () => false }, wrong: { defer: 1 } },
    "google run": runOptions(google(tools), { candidates: [] }),
  }),
};
