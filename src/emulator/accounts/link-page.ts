import type { JsonObject } from "../definitions.js";
import type { Door, Visit } from "../door.js";
import { accountOfFlow, completeFlow, FLOW_MS, failFlow, openFlow } from "./flow.js";
import { page, progressPage } from "./link-html.js";
import { missingLabels, requiredFields } from "./schemes.js";
import type { ConnectionFlow, StoredAccount } from "./stored-account.js";

/**
 * The hosted page on which a user connects an account. A browser clicks; a test posts to `…/complete` or `…/fail`, or opens
 * it with `?outcome=success` or `?outcome=failed`. See assumption E21.
 */
export const linkPages: readonly Door[] = [
  { methods: ["GET"], path: "/link/{token}", open: (visit) => show(visit) },
  { methods: ["POST"], path: "/link/{token}/complete", open: (visit) => finish(visit, "success") },
  { methods: ["POST"], path: "/link/{token}/fail", open: (visit) => finish(visit, "failed") },
];

async function show(visit: Visit): Promise<Response> {
  const outcome = new URL(visit.request.url).searchParams.get("outcome");
  if (outcome === "success" || outcome === "failed") return finish(visit, outcome);
  return withFlow(visit, (account, flow) => {
    openFlow(account, visit);
    const toolkit = visit.catalogue.toolkits.get(account.toolkit);
    const fields = requiredFields(toolkit, account.scheme).filter(({ name }) => account.values[name] === undefined);
    return page(200, progressPage(toolkit?.name ?? account.toolkit, new URL(flow.url).pathname, fields));
  });
}

async function finish(visit: Visit, outcome: "success" | "failed"): Promise<Response> {
  const given = await readForm(visit.request);
  return withFlow(visit, (account, flow) => {
    const toolkit = visit.catalogue.toolkits.get(account.toolkit);
    openFlow(account, visit);
    if (outcome === "failed") {
      const { error = "access_denied", error_description = "The user denied access" } = given;
      failFlow(account, { error: String(error), error_description: String(error_description) }, visit);
      return leave(account, flow, outcome);
    }
    const missing = missingLabels(toolkit, account.scheme, { ...account.values, ...given });
    if (missing.length > 0) return page(400, `<p>Missing required fields: ${missing.join(", ")}</p>`);
    return verifyOrComplete(account, flow, given, visit);
  });
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
  return new Response(null, { status: 302, headers: { location: url.href } });
}

function withFlow(visit: Visit, use: (account: StoredAccount, flow: ConnectionFlow) => Response): Response {
  const account = accountOfFlow(visit.params["token"] ?? "", visit);
  if (!account?.flow) return page(404, "<p>There is no such link.</p>");
  const { flow } = account;
  return flow.isOver || flow.sessionUri !== null
    ? page(410, "<p>This link was used, or is too old.</p>")
    : use(account, flow);
}

/** What a form posted, or a test as JSON. What cannot be read says nothing. */
async function readForm(request: Request): Promise<JsonObject> {
  const text = request.method === "POST" ? await request.text() : "";
  if (!text.startsWith("{")) return Object.fromEntries(new URLSearchParams(text));
  try {
    return { ...JSON.parse(text) };
  } catch {
    return {};
  }
}
