import type { ErrorEnvelope } from "./envelope.js";

/**
 * A failure the specification names, whatever status, code or wording the service used for it. Spec: Errors > Named error
 * conditions. A failed tool execution is not among them: it arrives as an answer with `successful: false`.
 */
export type Condition =
  /** The key is wrong, revoked or expired. */
  | "invalid_api_key"
  /** The request carried no key. */
  | "no_authentication"
  /** The organization key is wrong. */
  | "invalid_organization_key"
  /** The request carried more than one key. */
  | "several_credentials"
  /** The key is good, but may not do this. */
  | "insufficient_permissions"
  /** No tool has this slug; slugs are case-sensitive. */
  | "tool_not_found"
  /** The user has no usable connected account for the tool's toolkit. */
  | "no_connected_account"
  /** A meta tool of agent sessions was executed outside a session. */
  | "session_only_tool"
  /** No connected account has this id, or it was deleted: the service does not tell the two apart. */
  | "connected_account_not_found"
  /** The account's credentials can no longer be refreshed: the user must connect again. */
  | "auth_refresh_required"
  /** No trigger type has this slug. */
  | "trigger_not_found"
  /** The trigger instance, or the account it listens on, was deleted. */
  | "trigger_instance_deleted";

interface Answered {
  readonly status: number;
  /** The endpoint's path template, as in `endpoints.ts`. */
  readonly path: string;
  readonly envelope: ErrorEnvelope;
}

interface Rule {
  readonly condition: Condition;
  readonly slugs?: readonly string[];
  readonly codes?: readonly number[];
  readonly text?: RegExp;
  /** For conditions whose code and slug nobody published: status and path decide. */
  readonly where?: (answer: Answered) => boolean;
}

// Most telling first: a slug is the service's own name for the case, a text may be worded differently tomorrow.
const RULES: readonly Rule[] = [
  { condition: "session_only_tool", text: /can only be called inside a tool-router session/i },
  { condition: "invalid_organization_key", text: /^invalid (x-org-api-key|organi[sz]ation (api )?key)/i },
  { condition: "several_credentials", text: /(multiple|more than one|several) (authentication|credential)/i },
  {
    condition: "no_authentication",
    slugs: ["Auth_NoAuthProvided"],
    codes: [906],
    text: /^no (api key|authentication) provided/i,
  },
  {
    condition: "invalid_api_key",
    slugs: ["APIKey_InvalidAPIKey", "APIKey_APIKeyExpired", "UserApiKey_Unauthorized"],
    codes: [801, 811, 2113],
    text: /^invalid api key/i,
  },
  {
    condition: "insufficient_permissions",
    slugs: ["APIKey_InsufficientPermissions", "Organization_InsufficientPermissions"],
    codes: [812, 2206],
    // A page of something in between is about something else, and an MCP instance lacks accounts, not permissions.
    where: ({ status, path, envelope: { body } }) =>
      status === 403 && typeof body !== "string" && !path.endsWith("/instances"),
  },
  {
    condition: "no_connected_account",
    slugs: ["ActionExecute_ConnectedAccountNotFound", "ToolRouterV2_NoActiveConnection"],
    codes: [1803, 1810, 4302],
    text: /^no (connected account|active connection) found/i,
  },
  {
    condition: "tool_not_found",
    slugs: ["Tool_ToolNotFound", "ActionExecute_ToolNotFound", "ToolRouterV2_ToolNotFound"],
    codes: [2401, 4301],
    text: /^tool \S+ (was )?not found/i,
    where: ({ status, path }) => status === 404 && path.endsWith("/tools/{tool_slug}"),
  },
  {
    condition: "auth_refresh_required",
    slugs: ["ActionExecute_ConnectedAccountExpired"],
    codes: [1820],
    text: /is in EXPIRED state/,
  },
  {
    condition: "connected_account_not_found",
    slugs: ["ConnectedAccount_ResourceNotFound"],
    codes: [606],
    text: /^(the )?connected account\b.* not found/i,
    where: ({ status, path }) => status === 404 && /\/connected_accounts\/\{/.test(path),
  },
  {
    condition: "trigger_instance_deleted",
    where: ({ status, path }) => (status === 410 || status === 404) && path.includes("/trigger_instances/manage/"),
  },
  {
    condition: "trigger_not_found",
    where: ({ status, path }) => status === 404 && /\/(triggers_types\/\{|trigger_instances\/\{slug\})/.test(path),
  },
];

/** The named condition of an answer, or `undefined` where the specification names none. */
export function conditionOf(answer: Answered): Condition | undefined {
  const { message, code, slug } = answer.envelope;
  const matches: ((rule: Rule) => boolean | undefined)[] = [
    (rule) => slug !== undefined && rule.slugs?.includes(slug),
    (rule) => typeof code === "number" && rule.codes?.includes(code),
    (rule) => message !== undefined && rule.text?.test(message),
    (rule) => rule.where?.(answer),
  ];
  for (const match of matches) {
    const rule = RULES.find(match);
    if (rule) return rule.condition;
  }
  return undefined;
}

/** What to do next, for the conditions where the service often says nothing. */
export const NEXT_STEP: Readonly<Record<Condition, string>> = {
  invalid_api_key: "Check the key for this service address; it may have been revoked or have expired.",
  no_authentication: "Give the client a key.",
  invalid_organization_key: "Check orgApiKey (SVC_ORG_API_KEY).",
  several_credentials: "Send exactly one key; look for a proxy or a default header that adds another.",
  insufficient_permissions: "Use a key that may do this, or widen its permissions.",
  tool_not_found:
    "Tool slugs are case-sensitive and in SCREAMING_SNAKE_CASE; tools.list() shows them. The version may lack the tool, too.",
  no_connected_account: "Connect an account of this user for the tool's toolkit first.",
  session_only_tool: "Call it through an agent session.",
  connected_account_not_found: "The id is wrong or the account was deleted.",
  auth_refresh_required: "The user must connect the account again.",
  trigger_not_found: "Check the trigger type's slug; the toolkit lists its trigger types.",
  trigger_instance_deleted: "Create the trigger again.",
};
