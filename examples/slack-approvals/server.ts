// Starts tasks, and receives the clicks. Runs until you stop it. In your own project, with a Slack app whose
// interactivity URL is that of /slack/interactions:
// npm install svc-sdk openai ioredis hono @hono/node-server
// node examples/slack-approvals/server.ts
import { serve } from "@hono/node-server";
import { Hono } from "hono";
import { agentOf, gate } from "./agent.ts";
import { isFromSlack, replaceMessage } from "./slack.ts";

const approvers = (process.env["APPROVERS"] ?? "").split(" "); // Ids of Slack's users.
const app = new Hono();

app.post("/tasks", async ({ req, text }) => {
  const { goOn } = await agentOf("user-4711", crypto.randomUUID()); // With your sign-in.
  return text(await goOn([{ role: "user", content: await req.text() }]));
});

// #region click
app.post("/slack/interactions", async ({ req, body }) => {
  const form = await req.text();
  if (!isFromSlack(req.raw.headers, form)) return body(null, 401);
  const { user, actions, response_url } = JSON.parse(new URLSearchParams(form).get("payload") ?? "{}");
  const [{ action_id: action, value: id }] = actions;
  if (!approvers.includes(user.id)) return body(null, 403);
  // A second click gets the first decision.
  const request = await gate.decide(id, { approved: action === "approve", approver: user.id });
  if (!request) return body(null, 404);
  const { state, approver, pending } = request;
  await replaceMessage(response_url, `${pending.call.name}: ${state} by ${approver}`);
  // Slack waits for three seconds, and a model can take longer.
  const agent = await agentOf(pending.userId ?? "", pending.conversationId ?? "");
  agent.continueLater().then((answer) => answer && console.log(answer), console.error);
  return body(null);
});
// #endregion

serve({ fetch: app.fetch, port: Number(process.env["PORT"] ?? 3000) }, ({ port }) => console.log(`Port ${port}`));
