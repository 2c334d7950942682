// The app, in Hono on Cloudflare Workers. Start it with: npm run dev
import { Hono } from "hono";
import { type Bindings, pages } from "./pages.ts";
import { receive } from "./receiver.ts";

const app = new Hono<{ Bindings: Bindings & { SVC_WEBHOOK_SECRET: string } }>();
app.post("/webhooks", ({ req, env }) => receive(req.raw, env.SVC_WEBHOOK_SECRET));
app.route("/", pages);

export default app;
