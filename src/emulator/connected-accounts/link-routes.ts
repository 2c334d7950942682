import type { ExtraRoute, RouteContext } from "../host/context.js";

/** The code of the page is loaded with the first visit. Most emulators have none. */
async function respond(action: "show" | "success" | "failed", route: RouteContext): Promise<Response> {
  const { respondWithLinkPage } = await import("../on-demand.js");
  return respondWithLinkPage(action, route);
}

/**
 * The hosted page on which a user connects an account. Users click in a browser; tests post to `…/complete` or
 * `…/fail`, or open the page with `?outcome=success` or `?outcome=failed`. See assumption E21.
 */
export const linkPages: readonly ExtraRoute[] = [
  { methods: ["GET"], path: "/link/{token}", handle: (route) => respond("show", route) },
  { methods: ["POST"], path: "/link/{token}/complete", handle: (route) => respond("success", route) },
  { methods: ["POST"], path: "/link/{token}/fail", handle: (route) => respond("failed", route) },
];
