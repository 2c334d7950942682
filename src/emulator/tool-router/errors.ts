import { ApiFailure } from "../host/responses.js";

/** 400 of the tool router. Codes that aren't published are assumptions; see assumption E1. */
export function sessionError(code: number, reason: string, message: string, suggestedFix?: string): ApiFailure {
  const slug = `ToolRouterV2_${reason}`;
  return new ApiFailure({ status: 400, code, slug, message, ...(suggestedFix !== undefined && { suggestedFix }) });
}

/** The session's configuration excludes a toolkit. */
export function toolkitNotAllowed(toolkit: string): ApiFailure {
  return sessionError(4324, "ToolkitNotAllowed", `[Session Restriction] Toolkit '${toolkit}' is not allowed`);
}

/** The session's configuration excludes a tool. */
export function toolNotAllowed(tool: string): ApiFailure {
  return sessionError(4325, "ToolNotAllowed", `[Session Restriction] Tool '${tool}' is not allowed`);
}

/** The session's configuration excludes proxied requests. */
export function proxyNotAllowed(): ApiFailure {
  return sessionError(
    4314,
    "ProxyExecutionNotAllowed",
    "[Session Restriction] Proxy execution is not allowed",
    "Set workbench.enable_proxy_execution in the session's configuration",
  );
}

/** The session's user doesn't have a usable account. */
export function noActiveConnection(toolkits: readonly string[]): ApiFailure {
  const named = toolkits.map((toolkit) => `'${toolkit}'`).join(", ");
  return sessionError(
    4302,
    "NoActiveConnection",
    `No active connection found for toolkit(s) ${named} in this session`,
    "Connect an account first: link, or the tool SVC_MANAGE_CONNECTIONS",
  );
}

/** Unknown toolkit slugs. */
export function invalidToolkits(slugs: readonly string[]): ApiFailure {
  return sessionError(4305, "InvalidToolkitSlugs", `Invalid toolkit slugs: ${slugs.join(", ")}`);
}

/** Auth configs that are unknown, belong to another toolkit, or don't allow sessions. */
export function invalidAuthConfigs(ids: readonly string[]): ApiFailure {
  return sessionError(
    4309,
    "InvalidAuthConfigIds",
    `Could not find auth config(s) ${ids.join(", ")} that sessions may use`,
    "Name one of the toolkit that is ENABLED and has is_enabled_for_tool_router",
  );
}

/** Accounts that are unknown, or belong to another user. */
export function invalidAccounts(ids: readonly string[]): ApiFailure {
  return sessionError(
    4307,
    "InvalidConnectedAccountIds",
    `Could not find connected account(s) ${ids.join(", ")} belonging to the user of this session`,
  );
}
