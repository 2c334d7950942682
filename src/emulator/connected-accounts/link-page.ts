import type { JsonObject } from "../../resources/schema-kit.js";
import type { AuthField } from "../../resources/toolkits/schema.js";
import { isString } from "../../shared/json.js";
import type { ConnectionFlow, StoredAccount } from "../engine/account-records.js";
import { BROWSER_HEADERS, contentPolicy, hashSource } from "../engine/browser-headers.js";
import { urlErrors } from "../engine/check-request.js";
import type { RouteContext } from "../engine/engine.js";
import { parseBody, readText } from "../engine/read-body.js";
import { withBody } from "../engine/recording.js";
import { ApiFailure, invalidRequest } from "../engine/responses.js";
import { accountOfFlow, completeFlow, DENIED, FLOW_MS, failFlow, openFlow } from "./flows.js";
import { checkGiven, checkValues, usableConfig } from "./rules.js";
import { askedFields } from "./schemes.js";
import { linkUrl } from "./show.js";

type LinkOutcome = "success" | "failed";

/** Responds with a page. Errors are one too, because a browser made the request. */
export async function respondWithLinkPage(action: "show" | LinkOutcome, route: RouteContext): Promise<Response> {
  try {
    const outcome = action === "show" ? chosenOutcome(route) : action;
    const given = outcome && (await readForm(route.request));
    const token = route.params["token"] ?? "";
    const account = accountOfFlow(token, route);
    if (!account?.flow) {
      const content = `<p>Unknown link. It may belong to another emulator, or to the time before a reset.</p>${AGAIN}`;
      return await htmlPage({ status: 404, title: "Unknown link", content });
    }
    const { flow } = account;
    if (flow.token !== token || flow.isOver || flow.sessionUri !== null) return await usedPage(account, flow);
    openFlow(account, route);
    return await (given ? finish(account, flow, outcome, given, route) : show(account, flow, route));
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error;
    const { status, message, errors = [] } = error.details;
    const content = `<p>${[message, ...errors].map(escapeHtml).join("<br>")}</p>`;
    return htmlPage({ status, title: "This didn't work", content });
  }
}

/** The outcome that the URL of a page chooses. */
function chosenOutcome({ url, request }: RouteContext): LinkOutcome | undefined {
  const outcome = url.searchParams.get("outcome");
  // Another site can send a browser here, so only your own pages and tests may choose the outcome.
  const isForeign = request.headers.get("sec-fetch-site") === "cross-site";
  return !isForeign && (outcome === "success" || outcome === "failed") ? outcome : undefined;
}

function show(account: StoredAccount, flow: ConnectionFlow, { catalog, settings }: RouteContext): Promise<Response> {
  const toolkit = catalog.toolkits.get(account.toolkit);
  const fields = askedFields(toolkit, account.scheme).filter(({ name }) => account.values[name] === undefined);
  const name = toolkit?.name ?? account.toolkit;
  const content = consent(name, account.userId, linkUrl(flow, ""), fields);
  // Chromium applies `form-action` to the redirects of posts too.
  const targets = [flow.callbackUrl, settings.callbackVerifierUrl];
  const schemes = new Set(targets.flatMap((url) => (url ? new URL(url).protocol : [])));
  const formAction = ["'self'", ...schemes].join(" ");
  return htmlPage({ status: 200, title: `Connect ${name}`, content, formAction });
}

function finish(
  account: StoredAccount,
  flow: ConnectionFlow,
  outcome: LinkOutcome,
  given: JsonObject,
  route: RouteContext,
): Response | Promise<Response> {
  if (outcome === "failed") {
    const { error, error_description: description } = given;
    const reason = {
      error: isString(error) ? error : "access_denied",
      error_description: isString(description) ? description : DENIED,
    };
    failFlow(account, reason, route);
    return redirectBack(account, flow, outcome);
  }
  usableConfig(account.authConfigId, route.state);
  checkGiven(askedFields(route.catalog.toolkits.get(account.toolkit), account.scheme), { ...account.values, ...given });
  const errors = urlErrors(given, "form");
  if (errors.length > 0) throw invalidRequest(errors);
  checkValues(account.scheme, given, "form");
  const verifier = route.settings.callbackVerifierUrl;
  if (verifier === undefined) {
    completeFlow(account, given, route);
    return redirectBack(account, flow, outcome);
  }
  // The account becomes ACTIVE only after verification.
  const sessionUri = `session_${route.ids.uuid()}`;
  route.state.connectedAccounts.update(account.id, {
    values: { ...account.values, ...given },
    flow: { ...flow, sessionUri, endsAt: route.clock.now() + FLOW_MS },
  });
  return redirect(withParameters(verifier, { session_uri: sessionUri }));
}

function redirectBack(
  account: StoredAccount,
  flow: ConnectionFlow,
  outcome: LinkOutcome,
): Response | Promise<Response> {
  const { toolkit, userId } = account;
  const target = callbackOf(account, flow, outcome);
  if (target) return redirect(target);
  const [title, result] =
    outcome === "success"
      ? ["Connected", `${toolkit} is connected for ${userId}.`]
      : ["Not connected", `${toolkit} wasn't connected for ${userId}.`];
  const content = `<p>${escapeHtml(result)}</p><p class="quiet">You can close this page.</p>`;
  return htmlPage({ status: 200, title, content });
}

/** Where the app that started a flow hears its outcome. */
function callbackOf({ id }: StoredAccount, { callbackUrl }: ConnectionFlow, status: LinkOutcome): URL | undefined {
  return callbackUrl === null ? undefined : withParameters(callbackUrl, { status, connected_account_id: id });
}

/** Adds parameters without rewriting the existing query. */
function withParameters(target: string, parameters: Readonly<Record<string, string>>): URL {
  const url = new URL(target);
  url.search = [url.search.replace(/^\?/, ""), new URLSearchParams(parameters)].filter(String).join("&");
  return url;
}

function redirect(url: URL): Response {
  return new Response(null, { status: 302, headers: { ...BROWSER_HEADERS, location: url.href } });
}

/** Tells what became of a used link, and offers the way back to the app that it came from. */
function usedPage(account: StoredAccount, flow: ConnectionFlow): Promise<Response> {
  const state = `The account of ${account.userId} for ${account.toolkit} is ${account.status}.`;
  const target = callbackOf(account, flow, account.status === "ACTIVE" ? "success" : "failed");
  const back =
    target &&
    `<a class="button primary" href="${escapeHtml(target.href)}">Back to ${escapeHtml(target.host || "the app")}</a>`;
  const content = `<p>This link was already used, or has expired.</p><p class="quiet">${escapeHtml(state)}</p>${back ?? AGAIN}`;
  return htmlPage({ status: 410, title: "This link is over", content });
}

const AGAIN = '<p class="quiet">To connect, start again in the app that sent you here.</p>';

/** Reads form data, or JSON from a test. */
async function readForm(request: Request): Promise<JsonObject> {
  const text = request.method === "POST" ? await readText(request) : "";
  return text.startsWith("{") ? Object(parseBody(text)) : Object.fromEntries(new URLSearchParams(text));
}

/** Asks the user for missing fields, and whether to connect. */
function consent(
  toolkit: string,
  userId: string,
  path: string,
  fields: readonly Pick<AuthField, "name" | "displayName">[],
): string {
  const inputs = fields.map(
    ({ name, displayName }) => `<label>${escapeHtml(displayName)} <input name="${escapeHtml(name)}" required></label>`,
  );
  return `<p>Allow the app to use ${escapeHtml(toolkit)} for the user <b>${escapeHtml(userId)}</b>?</p>
<form method="post" action="${escapeHtml(path)}/complete">${inputs.join("")}<button class="primary">Connect</button></form>
<form method="post" action="${escapeHtml(path)}/fail"><button>Deny</button></form>
<p class="quiet">This replaces the provider's page. Nothing leaves this machine.</p>`;
}

interface HtmlPage {
  readonly status: number;
  /** The title, and the heading; text, not HTML. */
  readonly title: string;
  /** HTML below the heading. */
  readonly content: string;
  /** Sources its forms may post to; without any, it has none. */
  readonly formAction?: string;
}

/** An HTML page that runs no scripts and loads nothing. Its style is part of it. */
async function htmlPage({ status, title, content, formAction }: HtmlPage): Promise<Response> {
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<p class="brand">svc emulator</p>
<h1>${escapeHtml(title)}</h1>
${content}
</main>
</body>
</html>
`;
  const headers = {
    ...BROWSER_HEADERS,
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": `${contentPolicy(formAction)}; style-src ${await hashSource(STYLE)}`,
    // Under no-referrer, a browser would hide the page's origin from its own posts.
    ...(formAction !== undefined && { "referrer-policy": "same-origin" }),
  };
  return withBody(new Response(html, { status, headers }), html);
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`);
}

/** The inspector's colors. */
const STYLE = `
:root{color-scheme:light dark;--paper:light-dark(#fff,#131417);--around:light-dark(#f7f7f8,#0d0e10);--line:light-dark(#e3e3e8,#2b2d34);--edge:light-dark(#8b8b96,#6c6f7a);--ink:light-dark(#18181b,#ececef);--quiet:light-dark(#5b5b66,#a3a5b0);--accent:light-dark(#3b4fd1,#a5b0ff);--on:light-dark(#fff,#14162a)}
*{box-sizing:border-box}
body{display:grid;place-items:center;min-height:100vh;margin:0;padding:16px;background:var(--around);color:var(--ink);font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
main{width:100%;max-width:420px;padding:32px;border:1px solid var(--line);border-radius:12px;background:var(--paper);overflow-wrap:anywhere}
h1{margin:4px 0 12px;font-size:20px;font-weight:600}
p{margin:0 0 16px}
p:last-child{margin:0}
.brand,.quiet{color:var(--quiet);font-size:13px}
.brand{margin:0}
label{display:block;margin-bottom:14px;font-size:14px}
input,button,.button{width:100%;min-height:40px;border:1px solid var(--edge);border-radius:8px;background:var(--paper);color:inherit;font:inherit}
input{margin-top:4px;padding:0 12px}
button,.button{display:flex;align-items:center;justify-content:center;cursor:pointer;text-decoration:none}
.primary{border-color:transparent;background:var(--accent);color:var(--on);font-weight:550}
form+form{margin-top:10px}
form+p{margin-top:16px}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
`;
