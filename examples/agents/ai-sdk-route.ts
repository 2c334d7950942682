// A route that streams to useChat. In a Next.js application: copy the region to app/api/chat/route.ts.
// Run it with: node examples/agents/ai-sdk-route.ts
// #region route
// npm install svc-sdk @ai-sdk/openai ai, save this as app/api/chat/route.ts
import { openai } from "@ai-sdk/openai";
import {
  convertToModelMessages,
  createUIMessageStreamResponse,
  isStepCount,
  streamText,
  toUIMessageStream,
  type UIMessage,
} from "ai";
import { Svc } from "svc-sdk";
import { type PreparedToolset, prepareToolset } from "svc-sdk/agents";
import { aiSdk } from "svc-sdk/agents/ai-sdk";

let prepared: PreparedToolset | undefined; // Read with the first request: a build has no key.

export async function POST(request: Request): Promise<Response> {
  const { id, messages }: { id: string; messages: UIMessage[] } = await request.json();
  const userId = "user-4711"; // From your session, never from the request's body.
  prepared ??= await prepareToolset(new Svc(), { tools: ["GITHUB_CREATE_AN_ISSUE"] });
  const tools = await prepared.for({ userId, conversationId: id });
  const { stream } = streamText({
    model: openai("gpt-5"),
    messages: await convertToModelMessages(messages),
    tools: aiSdk(tools),
    stopWhen: isStepCount(10),
    abortSignal: request.signal,
  });
  return createUIMessageStreamResponse({ stream: toUIMessageStream({ stream }) });
}
// #endregion

// The request of useChat, and the text that it shows.
const parts = [{ type: "text", text: "Open an issue in octo-org/hello-world: the build is broken." }];
const body = JSON.stringify({ id: "chat-1", messages: [{ id: "message-1", role: "user", parts }] });
const events = await (await POST(new Request("http://localhost/api/chat", { method: "POST", body }))).text();
const chunks = [...events.matchAll(/^data: (\{.*\})$/gm)].map(([, json = ""]) => JSON.parse(json));
console.log(chunks.map(({ type, delta }) => (type === "text-delta" ? delta : "")).join(""));
