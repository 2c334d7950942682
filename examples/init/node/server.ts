// The app, in plain Node. Start it with: npm run dev
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { Svc } from "svc-sdk";
import { toNodeHandler } from "svc-sdk/webhooks/node";
import { receive } from "./receiver.ts";
import { connectUrl, finishConnecting, isConnected, openIssue } from "./service.ts";

const svc = new Svc(); // Reads SVC_BASE_URL and SVC_API_KEY.
const port = Number(process.env["PORT"] ?? 3000);
const appUrl = process.env["APP_URL"] ?? `http://localhost:${port}`;
const receiver = toNodeHandler(receive);

const routes: Readonly<Record<string, (response: ServerResponse, url: string) => Promise<void>>> = {
  "GET /": async (response) =>
    show(
      response,
      (await isConnected(svc))
        ? '<p>GitHub is connected.</p><form method="post" action="/issues"><button>Open an issue</button></form>'
        : '<form method="post" action="/connect"><button>Connect GitHub</button></form>',
    ),
  "POST /connect": async (response) => redirect(response, await connectUrl(svc, appUrl)),
  "GET /connected": async (response, url) => {
    if (await finishConnecting(svc, url)) redirect(response, "/");
    else show(response, "<p>GitHub wasn't connected. <a href='/'>Try again</a></p>");
  },
  "POST /issues": async (response) => {
    const message = await openIssue(svc);
    if (message === undefined) redirect(response, await connectUrl(svc, appUrl));
    else show(response, `<p>${escapeHtml(message)}</p><a href="/">Back</a>`);
  },
};

createServer((request, response) => void handle(request, response)).listen(port, () => {
  console.log(`Listening on ${appUrl}`);
});

async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = request.url ?? "/";
  const path = url.split("?", 1).join();
  // First, because it reads the body itself: the signature is that of the raw bytes.
  if (path === "/webhooks") return receiver(request, response);
  const route = routes[`${request.method} ${path}`];
  if (!route) return show(response, "<p>Not found</p>", 404);
  // Forms of other sites must not act for your users.
  const isForeign = request.method === "POST" && request.headers["sec-fetch-site"] !== "same-origin";
  if (isForeign) return show(response, "<p>Forbidden</p>", 403);
  try {
    await route(response, url);
  } catch (error) {
    console.error(error);
    show(response, "<p>Something broke. Look at the terminal.</p>", 500);
  }
}

function redirect(response: ServerResponse, location: string): void {
  response.writeHead(303, { location }).end();
}

function show(response: ServerResponse, html: string, status = 200): void {
  const page = `<!doctype html><html lang="en"><meta charset="utf-8"><title>My app</title><h1>My app</h1>${html}</html>`;
  response.writeHead(status, { "content-type": "text/html; charset=utf-8" }).end(page);
}

function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
