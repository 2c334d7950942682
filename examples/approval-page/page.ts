// The second process: a page on which a person decides, which then continues the turn. Run it with:
// node examples/approval-page/page.ts
// #region page
import { serve } from "@hono/node-server";
import { Hono } from "hono";
import { csrf } from "hono/csrf";
import { html } from "hono/html";
import { describeApproval } from "svc-sdk/agents/policy";
import { gate, resumeAgent } from "./agent.ts";

const app = new Hono().use(csrf()); // And your sign-in: each visitor of this page can approve.

app.get("/", async (context) => {
  const forms = [];
  for await (const { pending } of gate.list())
    forms.push(html`<form method="post" action="/${pending.id}"><pre>${describeApproval(pending)}</pre>
      <button name="decision" value="approve">Approve</button> <button name="decision" value="deny">Deny</button>
    </form>`);
  return context.html(html`<p>Calls that need approval: ${forms.length}</p>${forms}`);
});

app.post("/:id", async (context) => {
  const approved = (await context.req.parseBody())["decision"] === "approve";
  const request = await gate.decide(context.req.param("id"), { approved, approver: "ada@example.com" });
  return request ? context.text(`The request is ${request.state}. ${await resumeAgent()}`) : context.notFound();
});

serve({ fetch: app.fetch, port: Number(process.env["PORT"] ?? 3000) }, ({ port }) => console.log(`Port ${port}`));
// #endregion
