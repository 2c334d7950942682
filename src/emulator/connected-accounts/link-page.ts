import type { AuthField } from "../../resources/toolkits/schema.js";
import type { JsonObject } from "../catalog/definitions.js";
import type { ConnectionFlow, StoredAccount } from "../host/account-records.js";
import { urlErrors } from "../host/check-request.js";
import type { ExtraRoute, RouteContext } from "../host/context.js";
import { ApiFailure, invalidRequest } from "../host/errors.js";
import { parseJson, readText } from "../host/read-request.js";
import { BROWSER_HEADERS, contentPolicy } from "../host/responses.js";
import { accountOfFlow, completeFlow, FLOW_MS, failFlow, openFlow } from "./flow.js";
import { askedFields, missingFields, missingLabels, usableConfig } from "./rules.js";
import { checkValues } from "./values.js";

/**
 * The hosted page on which a user connects an account. Users click in a browser; tests post to `…/complete` or `…/fail`, or
 * open the page with `?outcome=success` or `?outcome=failed`. See assumption E21.
 */
export const linkPages: readonly ExtraRoute[] = [
  { methods: ["GET"], path: "/link/{token}", handle: (route) => show(route).catch(errorToPage) },
  { methods: ["POST"], path: "/link/{token}/complete", handle: (route) => finish(route, "success").catch(errorToPage) },
  { methods: ["POST"], path: "/link/{token}/fail", handle: (route) => finish(route, "failed").catch(errorToPage) },
];

/** Shows errors as a page, because a browser made the request. */
function errorToPage(error: unknown): Response {
  if (error instanceof ApiFailure) return errorPage(error);
  throw error;
}

async function show(route: RouteContext): Promise<Response> {
  const outcome = new URL(route.request.url).searchParams.get("outcome");
  // Another site can send a browser here, so only your own pages and tests may choose the outcome.
  const isForeign = route.request.headers.get("sec-fetch-site") === "cross-site";
  if (!isForeign && (outcome === "success" || outcome === "failed")) return finish(route, outcome);
  return withFlow(route, (account, flow) => {
    openFlow(account, route);
    const toolkit = route.catalog.toolkits.get(account.toolkit);
    const fields = askedFields(toolkit, account.scheme).filter(({ name }) => account.values[name] === undefined);
    const content = progressPage(toolkit?.name ?? account.toolkit, new URL(flow.url).pathname, fields);
    const targets = [flow.callbackUrl, route.settings.callbackVerifierUrl];
    return htmlPage(200, content, formHeaders(targets.flatMap((url) => (url ? new URL(url).protocol : []))));
  });
}

async function finish(route: RouteContext, outcome: "success" | "failed"): Promise<Response> {
  const given = await readForm(route.request);
  return withFlow(route, (account, flow) => {
    const toolkit = route.catalog.toolkits.get(account.toolkit);
    openFlow(account, route);
    if (outcome === "failed") {
      failFlow(account, outcomeOf(given), route);
      return redirectBack(account, flow, outcome);
    }
    usableConfig(account.authConfigId, route.state);
    const missing = missingLabels(askedFields(toolkit, account.scheme), { ...account.values, ...given });
    if (missing.length > 0) throw missingFields(missing);
    const errors = urlErrors(given).map((found) => `form${found}`);
    if (errors.length > 0) throw invalidRequest(errors);
    checkValues(account.scheme, given, "form");
    return verifyOrComplete(account, flow, given, route);
  });
}

/** The provider's error, or a default one. */
function outcomeOf({ error, error_description: description }: JsonObject): JsonObject {
  return {
    error: typeof error === "string" ? error : "access_denied",
    error_description: typeof description === "string" ? description : "The user denied access",
  };
}

/** With a callback verifier, the account becomes ACTIVE only after verification. */
function verifyOrComplete(
  account: StoredAccount,
  flow: ConnectionFlow,
  given: JsonObject,
  route: RouteContext,
): Response {
  const verifier = route.settings.callbackVerifierUrl;
  if (verifier === undefined) {
    completeFlow(account, given, route);
    return redirectBack(account, flow, "success");
  }
  account.values = { ...account.values, ...given };
  flow.sessionUri = `session_${route.ids.uuid()}`;
  flow.endsAt = route.clock.now() + FLOW_MS;
  return redirect(withParameters(verifier, { session_uri: flow.sessionUri }));
}

function redirectBack({ id }: StoredAccount, { callbackUrl }: ConnectionFlow, outcome: "success" | "failed"): Response {
  if (callbackUrl !== null) {
    return redirect(withParameters(callbackUrl, { status: outcome, connected_account_id: id }));
  }
  return htmlPage(200, outcome === "success" ? "<p>Connected. You can close this page.</p>" : "<p>Not connected.</p>");
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

function withFlow(route: RouteContext, use: (account: StoredAccount, flow: ConnectionFlow) => Response): Response {
  const token = route.params["token"] ?? "";
  const account = accountOfFlow(token, route);
  if (!account?.flow) return htmlPage(404, "<p>Unknown link.</p>");
  const { flow } = account;
  return flow.token !== token || flow.isOver || flow.sessionUri !== null
    ? htmlPage(410, "<p>This link was already used, or has expired.</p>")
    : use(account, flow);
}

/** Reads form data, or JSON from a test. */
async function readForm(request: Request): Promise<JsonObject> {
  const text = request.method === "POST" ? await readText(request) : "";
  return text.startsWith("{") ? Object(parseJson(text)) : Object.fromEntries(new URLSearchParams(text));
}

/** An HTML page. */
function htmlPage(status: number, content: string, headers: Readonly<Record<string, string>> = {}): Response {
  const html = `<!doctype html><meta charset="utf-8"><title>Connect</title><main>${content}</main>`;
  const type = { "content-type": "text/html; charset=utf-8", "content-security-policy": contentPolicy() };
  return new Response(html, { status, headers: { ...BROWSER_HEADERS, ...type, ...headers } });
}

/**
 * Headers of a page with forms. Under `no-referrer`, a browser would hide the page's origin from its own posts.
 *
 * @param targets schemes its posts may be redirected to, such as `https:`, because Chromium applies `form-action` to redirects.
 */
function formHeaders(targets: readonly string[]): Record<string, string> {
  const formAction = ["'self'", ...new Set(targets)].join(" ");
  return { "content-security-policy": contentPolicy(formAction), "referrer-policy": "same-origin" };
}

/** Asks the user for missing fields, and whether to connect. */
function progressPage(
  toolkit: string,
  path: string,
  fields: readonly Pick<AuthField, "name" | "displayName">[],
): string {
  const inputs = fields.map(
    ({ name, displayName }) => `<label>${escapeHtml(displayName)} <input name="${escapeHtml(name)}" required></label> `,
  );
  return `<h1>Connect ${escapeHtml(toolkit)}</h1>
<form method="post" action="${escapeHtml(path)}/complete">${inputs.join("")}<button>Connect</button></form>
<form method="post" action="${escapeHtml(path)}/fail"><button>Deny</button></form>`;
}

/** Shows an error. */
function errorPage({ details: { status, message, errors = [] } }: ApiFailure): Response {
  return htmlPage(status, `<p>${[message, ...errors].map(escapeHtml).join("<br>")}</p>`);
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`);
}
