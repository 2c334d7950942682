// The pages, and the routes of their forms.
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { Svc } from "svc-sdk";
import { connectUrl, finishConnecting, isConnected } from "./accounts.ts";
import { label, runTask } from "./task.ts";

const svc = new Svc(); // Reads SVC_BASE_URL and SVC_API_KEY.
const port = Number(process.env["PORT"] ?? 3000);
const appUrl = process.env["APP_URL"] ?? `http://localhost:${port}`;

const routes: Readonly<Record<string, (request: IncomingMessage, response: ServerResponse) => Promise<void>>> = {
  "GET /": async (_request, response) =>
    show(
      response,
      (await isConnected(svc))
        ? `<p>GitHub is connected.</p><form method="post" action="/tasks">
<label>${label} <input name="text" required></label> <button>Send</button></form>`
        : '<form method="post" action="/connect"><button>Connect GitHub</button></form>',
    ),
  "POST /connect": async (_request, response) => redirect(response, await connectUrl(svc, appUrl)),
  "GET /connected": async (request, response) => {
    if (await finishConnecting(svc, request.url ?? "/")) redirect(response, "/");
    else show(response, "<p>GitHub wasn't connected. <a href='/'>Try again</a></p>");
  },
  "POST /tasks": async (request, response) => {
    const message = await runTask(svc, (await readForm(request)).get("text") ?? "");
    if (message === undefined) redirect(response, await connectUrl(svc, appUrl));
    else show(response, `<p>${escapeHtml(message)}</p><a href="/">Back</a>`);
  },
};

export async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = request.url?.split("?", 1).join();
  const route = routes[`${request.method} ${path}`];
  if (!route) return show(response, "<p>Not found</p>", 404);
  // Forms of other sites must not act for your users.
  const isForeign = request.method === "POST" && request.headers["sec-fetch-site"] !== "same-origin";
  if (isForeign) return show(response, "<p>Forbidden</p>", 403);
  try {
    await route(request, response);
  } catch (error) {
    console.error(error);
    show(response, "<p>Something broke. Look at the terminal.</p>", 500);
  }
}

/** Listens, or ends and says why it can't. */
export function listen(server: Server): void {
  server.once("error", ({ message }) => {
    console.error(`${message}. Set PORT to a free port.`);
    process.exit(1);
  });
  server.listen(port, () => console.log(`Listening on ${appUrl}`));
}

async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  let body = "";
  for await (const chunk of request.setEncoding("utf8")) {
    body += chunk;
    if (body.length > 10_000) throw new Error("The form is too long.");
  }
  return new URLSearchParams(body);
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
