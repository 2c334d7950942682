import type { AuthField } from "../../resources/toolkits/schema.js";
import type { JsonObject } from "../catalog/definitions.js";
import type { ConnectionFlow, StoredAccount } from "../host/account-records.js";
import { urlErrors } from "../host/check-request.js";
import type { RouteContext } from "../host/context.js";
import { escapeHtml, htmlPage } from "../host/html-page.js";
import { parseJson, readText } from "../host/read-request.js";
import { ApiFailure, BROWSER_HEADERS, invalidRequest } from "../host/responses.js";
import { accountOfFlow, completeFlow, FLOW_MS, failFlow, openFlow } from "./flow.js";
import { askedFields, missingFields, missingLabels, usableConfig } from "./rules.js";
import { checkValues } from "./values.js";

/** Responds with a page. Errors are one too, because a browser made the request. */
export async function respond(action: "show" | "success" | "failed", route: RouteContext): Promise<Response> {
  try {
    return await (action === "show" ? show(route) : finish(route, action));
  } catch (error) {
    if (error instanceof ApiFailure) return errorPage(error);
    throw error;
  }
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
    const name = toolkit?.name ?? account.toolkit;
    const content = consent(name, account.userId, new URL(flow.url).pathname, fields);
    const targets = [flow.callbackUrl, route.settings.callbackVerifierUrl];
    const formAction = formSources(targets.flatMap((url) => (url ? new URL(url).protocol : [])));
    return htmlPage({ status: 200, title: `Connect ${name}`, content, formAction });
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
): Response | Promise<Response> {
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

function redirectBack(
  { id, toolkit, userId }: StoredAccount,
  { callbackUrl }: ConnectionFlow,
  outcome: "success" | "failed",
): Response | Promise<Response> {
  if (callbackUrl !== null) {
    return redirect(withParameters(callbackUrl, { status: outcome, connected_account_id: id }));
  }
  const [title, result] =
    outcome === "success"
      ? ["Connected", `${toolkit} is connected for ${userId}.`]
      : ["Not connected", `${toolkit} wasn't connected for ${userId}.`];
  return htmlPage({
    status: 200,
    title,
    content: `<p>${escapeHtml(result)}</p><p class="quiet">You can close this page.</p>`,
  });
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

function withFlow(
  route: RouteContext,
  use: (account: StoredAccount, flow: ConnectionFlow) => Response | Promise<Response>,
): Response | Promise<Response> {
  const token = route.params["token"] ?? "";
  const account = accountOfFlow(token, route);
  if (!account?.flow) {
    const content = `<p>Unknown link. It may belong to another emulator, or to the time before a reset.</p>${AGAIN}`;
    return htmlPage({ status: 404, title: "Unknown link", content });
  }
  const { flow } = account;
  const isUsed = flow.token !== token || flow.isOver || flow.sessionUri !== null;
  return isUsed ? usedPage(account, flow) : use(account, flow);
}

/** Tells what became of a used link, and offers the way back to the app that it came from. */
function usedPage({ id, toolkit, userId, status }: StoredAccount, { callbackUrl }: ConnectionFlow): Promise<Response> {
  const state = `The account of ${userId} for ${toolkit} is ${status}.`;
  const outcome = status === "ACTIVE" ? "success" : "failed";
  const target =
    callbackUrl === null ? undefined : withParameters(callbackUrl, { status: outcome, connected_account_id: id });
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
  return text.startsWith("{") ? Object(parseJson(text)) : Object.fromEntries(new URLSearchParams(text));
}

/**
 * Sources that a page's forms may post to: itself, and where its posts may be redirected to, because Chromium applies
 * `form-action` to redirects.
 *
 * @param targets schemes such as `https:`.
 */
function formSources(targets: readonly string[]): string {
  return ["'self'", ...new Set(targets)].join(" ");
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

/** Shows an error. */
function errorPage({ details: { status, message, errors = [] } }: ApiFailure): Promise<Response> {
  const content = `<p>${[message, ...errors].map(escapeHtml).join("<br>")}</p>`;
  return htmlPage({ status, title: "This didn't work", content });
}
