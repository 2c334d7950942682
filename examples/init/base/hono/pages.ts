// The pages, and the routes of their forms.
import { Hono } from "hono";
import { csrf } from "hono/csrf";
import { html } from "hono/html";
import { HTTPException } from "hono/http-exception";
import { Svc } from "svc-sdk";
import { connectUrl, finishConnecting, isConnected } from "./accounts.ts";
import { label, runTask } from "./task.ts";

/** wrangler.jsonc lists these too. */
export interface Bindings {
  SVC_BASE_URL: string;
  SVC_API_KEY: string;
  APP_URL: string;
}

export const pages = new Hono<{ Bindings: Bindings; Variables: { svc: Svc } }>();

// Your users don't see errors: only in development, the response has the message.
pages.onError((error, { env, json }) => {
  if (error instanceof HTTPException) return error.getResponse();
  console.error(error);
  const isLocal = env.APP_URL?.startsWith("http://localhost");
  const message = isLocal ? error.message : "Something broke.";
  const next = isLocal
    ? "The terminal shows the error's cause and stack."
    : "Look at the Worker's logs: npx wrangler tail";
  return json({ error: { message, next } }, 500);
});

pages.use(csrf()); // Forms of other sites must not act for your users.
pages.use(async (context, next) => {
  // One per request, because a Worker's I/O must not outlive its request.
  context.set("svc", new Svc({ env: { ...context.env }, deadlineMs: 25_000 }));
  await next();
});

pages.get("/", async (context) =>
  context.html(
    page(
      (await isConnected(context.var.svc))
        ? html`<p>GitHub is connected.</p><form method="post" action="/tasks">
<label>${label} <input name="text" required></label> <button>Send</button></form>`
        : html`<form method="post" action="/connect"><button>Connect GitHub</button></form>`,
    ),
  ),
);

pages.post("/connect", async ({ var: { svc }, env, redirect }) => redirect(await connectUrl(svc, env.APP_URL), 303));

pages.get("/connected", async (context) => {
  if (await finishConnecting(context.var.svc, context.req.url)) return context.redirect("/", 303);
  return context.html(page(html`<p>GitHub wasn't connected. <a href="/">Try again</a></p>`));
});

pages.post("/tasks", async (context) => {
  const { text } = await context.req.parseBody();
  const message = await runTask(context.var.svc, String(text));
  if (message === undefined) return context.redirect(await connectUrl(context.var.svc, context.env.APP_URL), 303);
  return context.html(page(html`<p>${message}</p><a href="/">Back</a>`));
});

const page = (content: ReturnType<typeof html>) =>
  html`<!doctype html><html lang="en"><meta charset="utf-8"><title>My app</title><h1>My app</h1>${content}</html>`;
