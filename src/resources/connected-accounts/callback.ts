import { ValidationError } from "../../errors/local.js";
import { field } from "../../shared/json.js";

/** Result of a connect flow, read from the URL to which the user's browser returned. Check `kind`. */
export type ConnectCallback =
  /** The flow finished. Confirm it with `connectedAccounts.waitUntilActive`, because the URL comes from a browser. */
  | { readonly kind: "success"; readonly connectedAccountId: string }
  /** The flow failed. If there is an account id, the account's `status_reason` has the reason. */
  | { readonly kind: "failed"; readonly connectedAccountId: string | undefined }
  /** A parameter is missing or has several values. An id without a status is incomplete, never a success. */
  | {
      readonly kind: "incomplete";
      readonly status: string | undefined;
      readonly connectedAccountId: string | undefined;
      /** The problem, in words. */
      readonly problem: string;
    }
  /** A status that this version doesn't know. */
  | { readonly kind: "unknown"; readonly status: string; readonly connectedAccountId: string | undefined };

/**
 * Parses the URL to which a user's browser returned after the hosted flow: the link's `callback_url`, to which the
 * service added `status` and `connected_account_id`.
 *
 * ```ts
 * const callback = parseConnectCallback(url);
 * if (callback.kind !== "success") throw new Error(`not connected: ${callback.kind}`);
 * // The URL comes from a browser, so get the account itself.
 * const account = await svc.connectedAccounts.waitUntilActive(callback.connectedAccountId, { deadlineMs: 30_000 });
 * if (account.user_id !== signedInUser) throw new Error("not this user's account");
 * ```
 *
 * Users can edit this URL, so get the account and check that it belongs to the signed-in user.
 *
 * @param url the full URL, or its path and query as in Node's `request.url`.
 * @throws {ValidationError} if it isn't a URL.
 */
export function parseConnectCallback(url: string | URL): ConnectCallback {
  const query = parse(url).searchParams;
  const statuses = distinct(query, "status");
  const ids = distinct(query, "connected_account_id");
  const [status] = statuses;
  const [connectedAccountId] = ids;

  // The service keeps your own parameters, so your `status` could appear next to the service's. Choosing one would be a
  // guess.
  const incomplete = (problem: string): ConnectCallback => ({
    kind: "incomplete",
    status: statuses.length === 1 ? status : undefined,
    connectedAccountId: ids.length === 1 ? connectedAccountId : undefined,
    problem,
  });
  if (statuses.length > 1) return incomplete("status appears with different values; keep it out of callback_url.");
  if (ids.length > 1) return incomplete("connected_account_id appears with different values.");
  if (status === undefined) return incomplete("status is missing.");
  if (status === "failed") return { kind: "failed", connectedAccountId };
  if (status !== "success") return { kind: "unknown", status, connectedAccountId };
  if (connectedAccountId === undefined) return incomplete("connected_account_id is missing.");
  return { kind: "success", connectedAccountId };
}

function parse(url: unknown): URL {
  // By shape, because frameworks have their own URL classes.
  const text = field(url, "href") ?? url;
  // The base is for a bare path only. Any other word would become a path without parameters.
  const base = typeof text === "string" && /^[/?]/.test(text) ? "http://callback.invalid" : undefined;
  if (typeof text === "string" && URL.canParse(text, base)) return new URL(text, base);
  // Not quoted: the URL may contain a secret of the caller.
  throw new ValidationError(
    "parseConnectCallback",
    "the argument isn't a URL. Pass the full URL or its path and query; for a Request, pass its url.",
  );
}

function distinct(query: URLSearchParams, name: string): string[] {
  return [...new Set(query.getAll(name))].filter((value) => value !== "");
}
