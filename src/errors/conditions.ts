import { IN_STATE, OF_OTHER_USER } from "../shared/account-status.js";
import type { ErrorEnvelope } from "./envelope.js";

/**
 * Name of a failure, independent of the status, code and wording that the service used. A tool that fails has no
 * condition: its response has `successful: false`.
 */
export type ErrorCondition =
  /** The key is wrong, revoked or expired. */
  | "invalid_api_key"
  /** The request had no key. */
  | "no_authentication"
  /** The organization key is wrong. */
  | "invalid_organization_key"
  /** The request had more than one key. */
  | "several_credentials"
  /** The key is valid, but doesn't have the permission. */
  | "insufficient_permissions"
  /** No tool has this slug. Slugs are case-sensitive. */
  | "tool_not_found"
  /** The user has no usable connected account for the tool's toolkit. */
  | "no_connected_account"
  /** A meta tool of agent sessions was executed outside a session. */
  | "session_only_tool"
  /** No connected account has this id, or the account was deleted: the service doesn't distinguish the two. */
  | "connected_account_not_found"
  /** The account's credentials can no longer be refreshed: the user must connect again. */
  | "auth_refresh_required"
  /** The account is REVOKED, FAILED, INACTIVE, or not connected yet. `needsConnection` returns the user's next step. */
  | "connected_account_not_active"
  /** No trigger type has this slug. */
  | "trigger_not_found"
  /** The trigger instance, or its account, was deleted. */
  | "trigger_instance_deleted";

interface ConditionRule {
  /** For the message: the service often sends no advice. */
  readonly nextStep: string;
  readonly slugs?: readonly string[];
  readonly codes?: readonly number[];
  readonly text?: RegExp;
  /**
   * For conditions without a published code and slug: recognized by status and the endpoint's path template, unless the
   * body is text. The page of a proxy has another cause.
   */
  readonly where?: (status: number, path: string) => boolean;
}

/** How each condition is recognized, and what to do about it. If several match equally, the first counts. */
const CONDITIONS: Readonly<Record<ErrorCondition, ConditionRule>> = {
  session_only_tool: {
    nextStep: "Call it through an agent session.",
    text: /can only be called inside a tool-router session/i,
  },
  invalid_organization_key: {
    nextStep: "Check orgApiKey (SVC_ORG_API_KEY).",
    text: /^invalid (x-org-api-key|organi[sz]ation (api )?key)/i,
  },
  several_credentials: {
    nextStep: "Send exactly one key; a proxy or a default header may add another.",
    text: /(multiple|more than one|several) (authentication|credential)/i,
  },
  no_authentication: {
    nextStep: "Pass a key to the client.",
    slugs: ["Auth_NoAuthProvided"],
    codes: [906],
    text: /^no (api key|authentication) provided/i,
  },
  invalid_api_key: {
    nextStep: "Check the key for this base URL; it may be revoked or expired.",
    slugs: ["APIKey_InvalidAPIKey", "APIKey_APIKeyExpired", "UserApiKey_Unauthorized"],
    codes: [801, 811, 2113],
    text: /^invalid api key/i,
  },
  insufficient_permissions: {
    nextStep: "Use a key that may do this, or extend its permissions.",
    slugs: ["APIKey_InsufficientPermissions", "Organization_InsufficientPermissions"],
    codes: [812, 2206],
    // An MCP instance is missing accounts, not permissions.
    where: (status, path) => status === 403 && !path.endsWith("/instances"),
  },
  no_connected_account: {
    nextStep: "Connect an account of this user for the tool's toolkit first.",
    slugs: ["ActionExecute_ConnectedAccountNotFound", "ToolRouterV2_NoActiveConnection"],
    codes: [1803, 1810, 4302],
    text: /^no (connected account|active connection) found/i,
  },
  tool_not_found: {
    nextStep:
      "Tool slugs are case-sensitive and in SCREAMING_SNAKE_CASE; tools.list() returns them. Also check the version.",
    slugs: ["Tool_ToolNotFound", "ActionExecute_ToolNotFound", "ToolRouterV2_ToolNotFound"],
    codes: [2401, 4301],
    text: /^tool \S+ (was )?not found/i,
    where: (status, path) => status === 404 && path.endsWith("/tools/{tool_slug}"),
  },
  auth_refresh_required: {
    nextStep: "The user must connect the account again.",
    slugs: ["ActionExecute_ConnectedAccountExpired"],
    codes: [1820],
    // The pattern of the next condition has this state as well, but the first counts.
    text: /is in EXPIRED state/,
  },
  // See assumption C9.
  connected_account_not_active: {
    nextStep:
      "REVOKED and FAILED: the user must connect again. INACTIVE: enable the account, or its auth config. INITIALIZING and INITIATED: the user must finish.",
    text: IN_STATE,
  },
  connected_account_not_found: {
    nextStep: "The id is wrong or the account was deleted.",
    slugs: ["ConnectedAccount_ResourceNotFound"],
    codes: [606],
    text: /^(the )?connected account\b.* not found/i,
    where: (status, path) => status === 404 && /\/connected_accounts\/\{/.test(path),
  },
  trigger_instance_deleted: {
    nextStep: "Create the trigger again.",
    where: (status, path) => (status === 410 || status === 404) && path.includes("/trigger_instances/manage/"),
  },
  trigger_not_found: {
    nextStep: "Check the trigger type's slug; triggers.listTypes() returns them.",
    where: (status, path) => status === 404 && /\/(triggers_types\/\{|trigger_instances\/\{slug\})/.test(path),
  },
};

/** Better advice than that of the condition, or advice without a condition. */
const ADVICE: readonly Partial<ConditionRule>[] = [
  {
    nextStep:
      "The account belongs to another user. Pass its owner as user_id, or omit connected_account_id to use the user's own account.",
    slugs: [OF_OTHER_USER],
  },
  {
    nextStep:
      "The id is wrong, or the account was deleted or belongs to another toolkit. Pass an account of the tool's toolkit, or omit connected_account_id to use the user's own.",
    text: /^no connected account found with ID /i,
  },
];

/** Advice about a failure; an empty string without any. */
export function nextStepOf(condition: ErrorCondition | undefined, { slug = "", message = "" }: ErrorEnvelope): string {
  const better = ADVICE.find(({ slugs, text }) => slugs?.includes(slug) || text?.test(message));
  return (better ?? (condition && CONDITIONS[condition]))?.nextStep ?? "";
}

/** The named condition of a response, or `undefined` if the specification doesn't name it. */
export function conditionOf(
  status: number,
  path: string,
  { message, code, slug, body }: ErrorEnvelope,
): ErrorCondition | undefined {
  // Most reliable first: a slug is the service's own name for the case, but a message may change.
  const matches: ((rule: ConditionRule) => boolean | undefined)[] = [
    (rule) => slug !== undefined && rule.slugs?.includes(slug),
    (rule) => typeof code === "number" && rule.codes?.includes(code),
    (rule) => message !== undefined && rule.text?.test(message),
    (rule) => typeof body !== "string" && rule.where?.(status, path),
  ];
  // The keys of an object literal are exactly its type's.
  const conditions = Object.keys(CONDITIONS) as ErrorCondition[];
  for (const match of matches) {
    const found = conditions.find((condition) => match(CONDITIONS[condition]));
    if (found) return found;
  }
  return undefined;
}
