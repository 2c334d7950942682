import { digestsOf, readableText, shortened, textDiff } from "../../catalog/lock/hash.js";
import { ToolLockError } from "../../errors/local.js";
import type { Tool, ToolLock } from "../../index.js";
import { child } from "../../shared/json.js";
import { isMetaTool } from "../../shared/tools.js";

/** The part of a selection that concerns the lockfile. */
interface LockedSelection {
  readonly lock?: ToolLock | undefined;
  readonly onLockMismatch?: "throw" | "omit" | undefined;
  readonly onOmitted?: (error: ToolLockError, tool: Tool) => void;
}

/** As many lines of a difference as a message shows. */
const MOST_LINES = 20;

/**
 * The tools that are as they were locked, in what callers rely on and in what a model reads.
 *
 * @param isSession - Whether a session chooses their versions. They must be the locked tools, whatever the number.
 * @throws {ToolLockError} for the first that isn't, unless such tools are omitted.
 */
export async function lockedTools(
  tools: readonly Tool[],
  { lock, onLockMismatch, onOmitted }: LockedSelection,
  isSession: boolean,
): Promise<readonly Tool[]> {
  if (!lock) return tools;
  const same: Tool[] = [];
  for (const tool of tools) {
    const problem = await differenceOf(tool, lock, isSession);
    if (problem === undefined) same.push(tool);
    else {
      const error = new ToolLockError("toolset", tool.slug, lockedIn(lock, tool.slug)?.version, undefined, problem);
      if (onLockMismatch !== "omit") throw error;
      onOmitted?.(error, tool);
    }
  }
  return same;
}

// The lock is checked with the options.
const lockedIn = ({ tools }: ToolLock, slug: string) => child(tools, slug) as ToolLock["tools"][string] | undefined;

async function differenceOf(tool: Tool, lock: ToolLock, isSession: boolean): Promise<string | undefined> {
  const { slug, version } = tool;
  const locked = lockedIn(lock, slug);
  if (isSession && !locked) {
    const meta = isMetaTool(slug) ? " A meta tool shows a model tools that aren't locked." : "";
    return `${slug} isn't in the lockfile.${meta} Name the session's tools that are, or pass onLockMismatch: "omit".`;
  }
  if (!locked || (!isSession && locked.version !== version)) {
    return `${slug} is locked to ${locked?.version ?? "nothing"}, but is ${version}. Run svc-sdk lock.`;
  }
  // Rules of a policy, and accounts, are set by toolkit.
  if (tool.toolkit.slug !== locked.toolkit) {
    return `${slug} is locked as a tool of ${locked.toolkit}, but is one of ${tool.toolkit.slug}. Run svc-sdk lock.`;
  }
  const { hash, textHash } = await digestsOf(tool);
  if (hash === locked.hash && textHash === locked.textHash) return undefined;
  const changed = hash === locked.hash ? "what a model reads" : "the schemas or access that callers rely on";
  const lines = shortened(textDiff(locked.text ?? {}, readableText(tool)), MOST_LINES);
  const rest = lines.length > 0 ? lines.map((line) => `\n  ${line}`).join("") : " Not the arguments: the result.";
  return (
    `${slug} ${version} isn't the tool that was locked: ${changed} changed.${rest}\n` +
    `Run svc-sdk lock --diff to review it, then svc-sdk lock --accept ${slug} to accept it.`
  );
}
