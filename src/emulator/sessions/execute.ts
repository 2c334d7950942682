import type { ExecuteSessionToolBody, SessionToolResult } from "../../resources/tool-router/schema.js";
import type { StoredExecution } from "../logs/stored.js";
import { runTool } from "../tool-run.js";
import { pickSessionAccount } from "./accounts.js";
import { isMetaSlug } from "./meta-tools.js";
import { refuseInSession, toolNotAllowed } from "./refusals.js";
import { checkAllowed } from "./restrictions.js";
import type { SessionScope } from "./scope.js";

/** One execution in a session. */
export interface SessionRun extends Pick<ExecuteSessionToolBody, "tool_slug" | "arguments" | "account"> {
  /** The meta tool it runs in. */
  readonly parent?: StoredExecution["parent"] | undefined;
}

/**
 * Runs a tool for the session's user, in its latest version.
 *
 * @throws {Refusal} 400 for an unknown or excluded tool, and for a toolkit without a usable account.
 */
export async function executeInSession(run: SessionRun, scope: SessionScope): Promise<SessionToolResult> {
  const { config, catalogue, state, session, project, origin } = scope;
  const { tool_slug, arguments: given = {}, account: named, parent } = run;
  const versioned = catalogue.tool(tool_slug, "latest");
  if (!versioned) throw unknownTool(tool_slug);
  checkAllowed(config, versioned);
  const account = pickSessionAccount(versioned.toolkit, named, config, state);
  if (isDenied(tool_slug, account?.id, scope)) throw toolNotAllowed(tool_slug);
  const sessionId = session.id;
  const facts = { versioned, arguments: given, userId: config.user_id, account, project, origin, sessionId, parent };
  const { data, error, log_id } = await runTool(facts, scope);
  return { data, error, log_id };
}

function unknownTool(slug: string) {
  if (slug.startsWith("LOCAL_")) {
    return refuseInSession(4300, "BadRequest", `${slug} is a custom tool`, "Run it yourself: it lives in your program");
  }
  const fix = isMetaSlug(slug) ? "Meta tools run through execute_meta" : "Tool slugs are case-sensitive: search for it";
  return refuseInSession(4301, "ToolNotFound", `Tool ${slug} not found`, fix);
}

/**
 * Whether the session's permissions forbid a call; the tool's own line before the account's. Nobody is there to be asked:
 * what asks is allowed. See assumption E45.
 */
function isDenied(slug: string, accountId: string | undefined, { config }: SessionScope): boolean {
  const { overrides }: { overrides?: unknown } = Object(config.experimental?.["permissions"]);
  const whose = accountId ?? "__none__";
  const [answer]: unknown[] = [`${slug}:${whose}`, `*:${whose}`]
    .map((key) => Object.getOwnPropertyDescriptor(Object(overrides), key)?.value)
    .filter((value) => value !== undefined);
  return answer === "always_deny";
}
