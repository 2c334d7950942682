import { ValidationError } from "../../errors/local.js";
import { field } from "../../json.js";

/** What the address says to which a user's browser came back. Look at `kind`. */
export type ConnectCallback =
  /** The flow finished. Confirm it with `connectedAccounts.waitUntilActive`: the address comes from a browser. */
  | { readonly kind: "success"; readonly connectedAccountId: string }
  /** The flow failed; where the service named the account, its `status_reason` says why. */
  | { readonly kind: "failed"; readonly connectedAccountId: string | undefined }
  /** A part is missing or contradicts itself. An id without a status is this, never a success. */
  | {
      readonly kind: "incomplete";
      readonly status: string | undefined;
      readonly connectedAccountId: string | undefined;
      /** What is wrong, in words. */
      readonly problem: string;
    }
  /** A status this version does not know. */
  | { readonly kind: "unknown"; readonly status: string; readonly connectedAccountId: string | undefined };

/**
 * Reads the address to which a user's browser came back after the hosted flow: the `callback_url` of the link, to which
 * the service added `status` and `connected_account_id`.
 *
 * ```ts
 * const callback = parseConnectCallback(address);
 * if (callback.kind !== "success") throw new Error(`not connected: ${callback.kind}`);
 * // The address comes from a browser, so the account itself is asked.
 * const account = await svc.connectedAccounts.waitUntilActive(callback.connectedAccountId, { deadlineMs: 30_000 });
 * if (account.user_id !== signedInUser) throw new Error("not this user's account");
 * ```
 *
 * Whoever controls the browser controls the address. Before you rely on it, read the account and compare its user.
 *
 * @param url the whole address, or its path and query as Node's `request.url` holds them.
 * @throws {ValidationError} when it is no address at all.
 */
export function parseConnectCallback(url: string | URL): ConnectCallback {
  const query = parse(url).searchParams;
  const statuses = distinct(query, "status");
  const ids = distinct(query, "connected_account_id");
  const [status] = statuses;
  const [connectedAccountId] = ids;

  // Your own parameters are kept, so a `status` of yours stands beside the service's: which one counts would be a guess.
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
  // By shape: frameworks have URLs of their own.
  const text = field(url, "href") ?? url;
  // The base is for a bare path. A word that is neither would become one, and its parameters would be missing.
  const base = typeof text === "string" && /^[/?]/.test(text) ? "http://callback.invalid" : undefined;
  if (typeof text === "string" && URL.canParse(text, base)) return new URL(text, base);
  // Not quoted: an address may hold a secret of the caller's.
  throw new ValidationError(
    "parseConnectCallback",
    "the argument is no address. Pass the whole one, or its path and query; of a Request, its url.",
  );
}

function distinct(query: URLSearchParams, name: string): string[] {
  return [...new Set(query.getAll(name))].filter((value) => value !== "");
}
