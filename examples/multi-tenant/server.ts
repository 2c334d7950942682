// A server whose tenants share a process, and nothing else. Runs until you stop it. In your own project:
// npm install svc-sdk openai hono @hono/node-server
// node examples/multi-tenant/server.ts
import { serve } from "@hono/node-server";
import { Hono } from "hono";
import OpenAI from "openai";
import { openai } from "svc-sdk/agents/openai";
import { type Tenant, toolsOf, usageOf } from "./tenants.ts";

type Input = OpenAI.Responses.ResponseInputItem;
const client = new OpenAI();
// Both belong in your database. The tenants are stored by their tokens.
const tenants = new Map<string, Tenant>(Object.entries(JSON.parse(process.env["TENANTS"] ?? "{}")));
const conversations = new Map<string, Input[]>();

const app = new Hono<{ Variables: { tenant: Tenant } }>();
app.use(async (context, next) => {
  const tenant = tenants.get(context.req.header("authorization") ?? "");
  if (!tenant) return context.body(null, 401);
  context.set("tenant", tenant);
  return next();
});

// #region conversation
app.post("/conversations/:id", async ({ req, var: { tenant }, text }) => {
  // Two tenants may use the same id.
  const conversationId = JSON.stringify([tenant.userId, req.param("id")]);
  const { definitions, run } = openai(await toolsOf(tenant, conversationId));
  const input: Input[] = [...(conversations.get(conversationId) ?? []), { role: "user", content: await req.text() }];
  for (;;) {
    const response = await client.responses.create({ model: "gpt-5", input, tools: definitions });
    const turn = await run(response);
    input.push(...turn.items);
    conversations.set(conversationId, input);
    if (!turn.hasCalls) return text(response.output_text);
  }
});
// #endregion

app.get("/usage", async ({ var: { tenant }, json }) => json(await usageOf(tenant)));

serve({ fetch: app.fetch, port: Number(process.env["PORT"] ?? 3000) }, ({ port }) => console.log(`Port ${port}`));
