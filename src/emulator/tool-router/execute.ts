import type { ExecuteSessionToolBody, SessionToolResult } from "../../resources/tool-router/schema.js";
import { isMetaSlug } from "../catalog/toolkits/svc.js";
import type { StoredExecution } from "../engine/project-records.js";
import { runTool } from "../tools/run.js";
import { pickSessionAccount } from "./connections.js";
import { checkAllowed, type SessionScope, sessionError, toolNotAllowed } from "./scope.js";

/** One execution in a session. */
interface SessionRun extends Pick<ExecuteSessionToolBody, "tool_slug" | "arguments" | "account"> {
  /** The meta tool that runs it. */
  readonly parent?: StoredExecution["parent"] | undefined;
}

/**
 * Runs the latest version of an app's tool for the session's user.
 *
 * @throws {ApiFailure} 400 for an unknown or excluded tool, or if there's no usable account.
 */
export async function executeAppTool(run: SessionRun, scope: SessionScope): Promise<SessionToolResult> {
  const { config, catalog, state, session, project, origin } = scope;
  const { tool_slug, arguments: given = {}, account: named, parent } = run;
  const versioned = catalog.tool(tool_slug, "latest");
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
    return sessionError(4300, "BadRequest", `${slug} is a custom tool`, "Run it yourself: it lives in your program");
  }
  const fix = isMetaSlug(slug) ? "Call meta tools by themselves" : "Tool slugs are case-sensitive: search for it";
  return sessionError(4301, "ToolNotFound", `Tool ${slug} not found`, fix);
}

/**
 * Whether the session's permissions deny a call. A tool's entry overrides the account's. Calls that would require
 * asking the user are allowed. Assumption E45.
 */
function isDenied(slug: string, accountId: string | undefined, { config }: SessionScope): boolean {
  const { overrides }: { overrides?: unknown } = Object(config.experimental?.["permissions"]);
  const whose = accountId ?? "__none__";
  const [permission]: unknown[] = [`${slug}:${whose}`, `*:${whose}`]
    .map((key) => Object.getOwnPropertyDescriptor(Object(overrides), key)?.value)
    .filter((value) => value !== undefined);
  return permission === "always_deny";
}
