// The app, in Hono on Cloudflare Workers. Start it with: npm run dev
import { Hono } from "hono";
import { csrf } from "hono/csrf";
import { html } from "hono/html";
import { Svc } from "svc-sdk";
import { receive } from "./receiver.ts";
import { connectUrl, finishConnecting, isConnected, openIssue } from "./service.ts";

/** wrangler.jsonc lists these too. */
interface Bindings {
  SVC_BASE_URL: string;
  SVC_API_KEY: string;
  SVC_WEBHOOK_SECRET: string;
  APP_URL: string;
}

const app = new Hono<{ Bindings: Bindings; Variables: { svc: Svc } }>();

app.post("/webhooks", ({ req, env }) => receive(req.raw, env.SVC_WEBHOOK_SECRET));

app.use(csrf()); // Forms of other sites must not act for your users.
app.use(async (context, next) => {
  // One per request, because a Worker's I/O must not outlive its request.
  context.set("svc", new Svc({ environment: { ...context.env }, deadlineMs: 25_000 }));
  await next();
});

app.get("/", async (context) =>
  context.html(
    page(
      (await isConnected(context.var.svc))
        ? html`<p>GitHub is connected.</p><form method="post" action="/issues"><button>Open an issue</button></form>`
        : html`<form method="post" action="/connect"><button>Connect GitHub</button></form>`,
    ),
  ),
);

app.post("/connect", async ({ var: { svc }, env, redirect }) => redirect(await connectUrl(svc, env.APP_URL), 303));

app.get("/connected", async (context) => {
  if (await finishConnecting(context.var.svc, context.req.url)) return context.redirect("/", 303);
  return context.html(page(html`<p>GitHub wasn't connected. <a href="/">Try again</a></p>`));
});

app.post("/issues", async (context) => {
  const message = await openIssue(context.var.svc);
  if (message === undefined) return context.redirect(await connectUrl(context.var.svc, context.env.APP_URL), 303);
  return context.html(page(html`<p>${message}</p><a href="/">Back</a>`));
});

export default app;

const page = (content: ReturnType<typeof html>) =>
  html`<!doctype html><html lang="en"><meta charset="utf-8"><title>My app</title><h1>My app</h1>${content}</html>`;
