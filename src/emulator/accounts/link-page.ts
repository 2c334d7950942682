import type { JsonObject } from "../definitions.js";
import type { Door, Visit } from "../door.js";
import { PAGE_HEADERS } from "../page-headers.js";
import { parseJson, readText } from "../read-body.js";
import { invalidRequest, Refusal } from "../refusal.js";
import { urlComplaints } from "../url-check.js";
import { checkValues } from "./check-values.js";
import { accountOfFlow, completeFlow, failFlow, openFlow } from "./flow.js";
import { formHeaders, page, progressPage, refusedPage } from "./link-html.js";
import { missingFields, usableConfig } from "./rules.js";
import { askedFields, missingLabels } from "./schemes.js";
import { type ConnectionFlow, FLOW_MS, type StoredAccount } from "./stored-account.js";

/**
 * The hosted page on which a user connects an account. A browser clicks; a test posts to `…/complete` or `…/fail`, or opens
 * it with `?outcome=success` or `?outcome=failed`. See assumption E21.
 */
export const linkPages: readonly Door[] = [
  { methods: ["GET"], path: "/link/{token}", open: (visit) => show(visit).catch(refused) },
  { methods: ["POST"], path: "/link/{token}/complete", open: (visit) => finish(visit, "success").catch(refused) },
  { methods: ["POST"], path: "/link/{token}/fail", open: (visit) => finish(visit, "failed").catch(refused) },
];

/** A browser came here: what is refused is a page as well. */
function refused(error: unknown): Response {
  if (error instanceof Refusal) return refusedPage(error);
  throw error;
}

async function show(visit: Visit): Promise<Response> {
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
    return page(200, content, formHeaders(targets.flatMap((url) => (url ? new URL(url).protocol : []))));
  });
}

async function finish(visit: Visit, outcome: "success" | "failed"): Promise<Response> {
  const given = await readForm(visit.request);
  return withFlow(visit, (account, flow) => {
    const toolkit = visit.catalogue.toolkits.get(account.toolkit);
    openFlow(account, visit);
    if (outcome === "failed") {
      failFlow(account, outcomeOf(given), visit);
      return leave(account, flow, outcome);
    }
    usableConfig(account.authConfigId, visit.state);
    const missing = missingLabels(askedFields(toolkit, account.scheme), { ...account.values, ...given });
    if (missing.length > 0) throw missingFields(missing);
    const complaints = urlComplaints(given).map((found) => `form${found}`);
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
function verifyOrComplete(account: StoredAccount, flow: ConnectionFlow, given: JsonObject, visit: Visit): Response {
  const verifier = visit.settings.callbackVerifierUrl;
  if (verifier === undefined) {
    completeFlow(account, given, visit);
    return leave(account, flow, "success");
  }
  account.values = { ...account.values, ...given };
  flow.sessionUri = `session_${visit.ids.uuid()}`;
  flow.endsAt = visit.clock.now() + FLOW_MS;
  return redirect(withParameters(verifier, { session_uri: flow.sessionUri }));
}

function leave({ id }: StoredAccount, { callbackUrl }: ConnectionFlow, outcome: "success" | "failed"): Response {
  if (callbackUrl !== null) {
    return redirect(withParameters(callbackUrl, { status: outcome, connected_account_id: id }));
  }
  return page(200, outcome === "success" ? "<p>Connected. You can close this page.</p>" : "<p>Not connected.</p>");
}

/** The caller's own query stays as it was written. */
function withParameters(address: string, parameters: Readonly<Record<string, string>>): URL {
  const url = new URL(address);
  url.search = [url.search.replace(/^\?/, ""), new URLSearchParams(parameters)].filter(String).join("&");
  return url;
}

function redirect(url: URL): Response {
  return new Response(null, { status: 302, headers: { ...PAGE_HEADERS, location: url.href } });
}

function withFlow(visit: Visit, use: (account: StoredAccount, flow: ConnectionFlow) => Response): Response {
  const token = visit.params["token"] ?? "";
  const account = accountOfFlow(token, visit);
  if (!account?.flow) return page(404, "<p>There is no such link.</p>");
  const { flow } = account;
  return flow.token !== token || flow.isOver || flow.sessionUri !== null
    ? page(410, "<p>This link was used, or is too old.</p>")
    : use(account, flow);
}

/** What a form posted, or a test as JSON. */
async function readForm(request: Request): Promise<JsonObject> {
  const text = request.method === "POST" ? await readText(request) : "";
  return text.startsWith("{") ? Object(parseJson(text)) : Object.fromEntries(new URLSearchParams(text));
}
