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
 * The hosted page on which a user connects an account. A browser clicks; a test posts to `…/complete` or `…/fail`, or opens
 * it with `?outcome=success` or `?outcome=failed`. See assumption E21.
 */
export const linkPages: readonly ExtraRoute[] = [
  { methods: ["GET"], path: "/link/{token}", open: (visit) => show(visit).catch(errorToPage) },
  { methods: ["POST"], path: "/link/{token}/complete", open: (visit) => finish(visit, "success").catch(errorToPage) },
  { methods: ["POST"], path: "/link/{token}/fail", open: (visit) => finish(visit, "failed").catch(errorToPage) },
];

/** A browser came here: what is refused is a page as well. */
function errorToPage(error: unknown): Response {
  if (error instanceof ApiFailure) return errorPage(error);
  throw error;
}

async function show(visit: RouteContext): Promise<Response> {
  const outcome = new URL(visit.request.url).searchParams.get("outcome");
  // A page of another site can send a browser here, but not click.
  const isForeign = visit.request.headers.get("sec-fetch-site") === "cross-site";
  if (!isForeign && (outcome === "success" || outcome === "failed")) return finish(visit, outcome);
  return withFlow(visit, (account, flow) => {
    openFlow(account, visit);
    const toolkit = visit.catalogue.toolkits.get(account.toolkit);
    const fields = askedFields(toolkit, account.scheme).filter(({ name }) => account.values[name] === undefined);
    const content = progressPage(toolkit?.name ?? account.toolkit, new URL(flow.url).pathname, fields);
    const targets = [flow.callbackUrl, visit.settings.callbackVerifierUrl];
    return htmlPage(200, content, formHeaders(targets.flatMap((url) => (url ? new URL(url).protocol : []))));
  });
}

async function finish(visit: RouteContext, outcome: "success" | "failed"): Promise<Response> {
  const given = await readForm(visit.request);
  return withFlow(visit, (account, flow) => {
    const toolkit = visit.catalogue.toolkits.get(account.toolkit);
    openFlow(account, visit);
    if (outcome === "failed") {
      failFlow(account, outcomeOf(given), visit);
      return redirectBack(account, flow, outcome);
    }
    usableConfig(account.authConfigId, visit.state);
    const missing = missingLabels(askedFields(toolkit, account.scheme), { ...account.values, ...given });
    if (missing.length > 0) throw missingFields(missing);
    const complaints = urlErrors(given).map((found) => `form${found}`);
    if (complaints.length > 0) throw invalidRequest(complaints);
    checkValues(account.scheme, given, "form");
    return verifyOrComplete(account, flow, given, visit);
  });
}

/** Why it was refused, in the provider's words where it has some. */
function outcomeOf({ error, error_description: description }: JsonObject): JsonObject {
  return {
    error: typeof error === "string" ? error : "access_denied",
    error_description: typeof description === "string" ? description : "The user denied access",
  };
}

/** Where the project has a callback verifier, that one has the last word. */
function verifyOrComplete(
  account: StoredAccount,
  flow: ConnectionFlow,
  given: JsonObject,
  visit: RouteContext,
): Response {
  const verifier = visit.settings.callbackVerifierUrl;
  if (verifier === undefined) {
    completeFlow(account, given, visit);
    return redirectBack(account, flow, "success");
  }
  account.values = { ...account.values, ...given };
  flow.sessionUri = `session_${visit.ids.uuid()}`;
  flow.endsAt = visit.clock.now() + FLOW_MS;
  return redirect(withParameters(verifier, { session_uri: flow.sessionUri }));
}

function redirectBack({ id }: StoredAccount, { callbackUrl }: ConnectionFlow, outcome: "success" | "failed"): Response {
  if (callbackUrl !== null) {
    return redirect(withParameters(callbackUrl, { status: outcome, connected_account_id: id }));
  }
  return htmlPage(200, outcome === "success" ? "<p>Connected. You can close this page.</p>" : "<p>Not connected.</p>");
}

/** The caller's own query stays as it was written. */
function withParameters(address: string, parameters: Readonly<Record<string, string>>): URL {
  const url = new URL(address);
  url.search = [url.search.replace(/^\?/, ""), new URLSearchParams(parameters)].filter(String).join("&");
  return url;
}

function redirect(url: URL): Response {
  return new Response(null, { status: 302, headers: { ...BROWSER_HEADERS, location: url.href } });
}

function withFlow(visit: RouteContext, use: (account: StoredAccount, flow: ConnectionFlow) => Response): Response {
  const token = visit.params["token"] ?? "";
  const account = accountOfFlow(token, visit);
  if (!account?.flow) return htmlPage(404, "<p>There is no such link.</p>");
  const { flow } = account;
  return flow.token !== token || flow.isOver || flow.sessionUri !== null
    ? htmlPage(410, "<p>This link was used, or is too old.</p>")
    : use(account, flow);
}

/** What a form posted, or a test as JSON. */
async function readForm(request: Request): Promise<JsonObject> {
  const text = request.method === "POST" ? await readText(request) : "";
  return text.startsWith("{") ? Object(parseJson(text)) : Object.fromEntries(new URLSearchParams(text));
}

/** A small page. */
function htmlPage(status: number, content: string, headers: Readonly<Record<string, string>> = {}): Response {
  const html = `<!doctype html><meta charset="utf-8"><title>Connect</title><main>${content}</main>`;
  const type = { "content-type": "text/html; charset=utf-8", "content-security-policy": contentPolicy() };
  return new Response(html, { status, headers: { ...BROWSER_HEADERS, ...type, ...headers } });
}

/**
 * Headers of a page with forms. Under `no-referrer`, a browser would hide the page's origin from its own posts.
 *
 * @param targets schemes its posts may be redirected to, such as `https:`: Chromium applies `form-action` to those as well.
 */
function formHeaders(targets: readonly string[]): Record<string, string> {
  const formAction = ["'self'", ...new Set(targets)].join(" ");
  return { "content-security-policy": contentPolicy(formAction), "referrer-policy": "same-origin" };
}

/** Asks the user for what is missing, and whether to go on. */
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

/** Says why a page does not do what was asked. */
function errorPage({ details: { status, message, errors = [] } }: ApiFailure): Response {
  return htmlPage(status, `<p>${[message, ...errors].map(escapeHtml).join("<br>")}</p>`);
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`);
}
