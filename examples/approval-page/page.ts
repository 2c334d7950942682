// The second process: a page on which a person decides, and the rest of the conversation. Run it with:
// node examples/approval-page/page.ts
// #region page
import { serve } from "@hono/node-server";
import { Hono } from "hono";
import { csrf } from "hono/csrf";
import { html } from "hono/html";
import type { TurnTicket } from "svc-sdk/agents";
import { describeApproval } from "svc-sdk/agents/policy";
import { gate, goOn, type Input, redis, resume } from "./agent.ts";

const stored = async (): Promise<TurnTicket<Input>> => JSON.parse((await redis.get("ticket")) ?? "null");
const app = new Hono().use(csrf()); // And your sign-in: each visitor of this page can approve.

app.get("/", async (context) => {
  const { pendingApprovals } = await stored();
  return context.html(html`<form method="post">
    ${pendingApprovals.map((pending) => html`<pre>${describeApproval(pending)}</pre>`)}
    <button name="decision" value="approve">Approve</button> <button name="decision" value="deny">Deny</button>
  </form>`);
});

app.post("/", async (context) => {
  const ticket = await stored();
  const { decision } = await context.req.parseBody();
  const decide = decision === "approve" ? gate.approve : gate.deny;
  const tokens = ticket.pendingApprovals.map((pending) => decide(pending, { approver: "ada@example.com" }));
  // Each call runs once, even if the button was clicked twice.
  const turn = await resume(ticket, { decisions: await Promise.all(tokens) });
  return context.text(await goOn([...turn.conversation, ...turn.items]));
});

serve({ fetch: app.fetch, port: Number(process.env["PORT"] ?? 3000) }, ({ port }) => console.log(`Port ${port}`));
// #endregion
