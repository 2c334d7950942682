import { ConfigError } from "../../errors/local.js";
import * as option from "../../errors/option-rules.js";
import type { Tool } from "../../index.js";
import { OUTCOMES } from "../decision.js";
import { CODE_META_TOOLS, MANAGE_CONNECTIONS, MULTI_EXECUTE } from "../tools/meta-tools.js";
import type { CompiledBudget } from "./budgets.js";
import type { CompiledRule, MatchedCall } from "./compile-rule.js";
import type { PolicyCall } from "./rules.js";

/** Options of `forSession`. */
export interface SessionLimitsOptions {
  /**
   * Which tools the session may run. `unconditionally`: tools that the policy allows with any arguments, for any user
   * and account, and that no budget counts. Choose it if an MCP client uses the session without a toolset.
   * `conditionally`: all tools that the policy could let run, even with an approval. Choose it if every call passes
   * through a toolset with this policy.
   * @default "unconditionally"
   */
  readonly allowed?: "unconditionally" | "conditionally" | undefined;
}

const SESSION_LIMITS_OPTIONS = {
  allowed: { ...option.oneOf("unconditionally", "conditionally"), default: "unconditionally" },
} as const satisfies option.Rules<SessionLimitsOptions>;

/** The part of a policy that an agent session enforces, as fields of its configuration. */
export interface SessionLimits {
  /** Only toolkits that have an allowed tool. */
  readonly toolkits: { enable: string[] };
  /** Only allowed tools, by toolkit. */
  readonly tools: Record<string, { enable: string[] }>;
  /** Whether the session can run code. */
  readonly workbench: { enable: boolean };
  /** Whether the agent can connect and remove accounts. */
  readonly manage_connections: { enable: boolean };
  /** Whether the agent can run several tools with one call. */
  readonly execute: { enable_multi_execute: boolean };
}

/** A tool of the service, as `svc.tools.list` returns it. */
export type SessionTool = Pick<Tool, "slug" | "toolkit" | "tags">;

/**
 * Writes the limits of a session.
 *
 * @throws {ConfigError} if no tool is allowed: a session without limits would allow all of them.
 */
export function sessionLimitsOf(
  rules: readonly CompiledRule[],
  budgets: readonly CompiledBudget[],
  tools: Iterable<SessionTool>,
  options?: SessionLimitsOptions,
): SessionLimits {
  const { allowed } = option.checkAll("policy: forSession", options, SESSION_LIMITS_OPTIONS);
  const isAllowed = (call: PolicyCall) =>
    allowed === "conditionally"
      ? isEnabled(rules, { ...call, isToolOnly: true }, true)
      : isUnconditional(rules, budgets, call);
  // The service sets their tags, so those are unknown. Which tools one call may run, its inner calls say.
  const isMetaAllowed = (name: string) =>
    isAllowed({ tool: { name, kind: "meta", ...(name === MULTI_EXECUTE && { tags: [] }) } });
  const byToolkit = new Map<string, string[]>();
  for (const { slug, toolkit, tags } of tools) {
    if (!isAllowed({ tool: { name: slug, toolkit: toolkit.slug, tags, kind: "service" } })) continue;
    byToolkit.set(toolkit.slug, [...(byToolkit.get(toolkit.slug) ?? []), slug]);
  }
  if (byToolkit.size === 0) throw new ConfigError(`policy: forSession: none of the tools is ${allowed} allowed.`);
  return {
    toolkits: { enable: [...byToolkit.keys()] },
    tools: Object.fromEntries([...byToolkit].map(([toolkit, slugs]) => [toolkit, { enable: slugs }])),
    workbench: { enable: CODE_META_TOOLS.every(isMetaAllowed) },
    manage_connections: { enable: isMetaAllowed(MANAGE_CONNECTIONS) },
    execute: { enable_multi_execute: isMetaAllowed(MULTI_EXECUTE) },
  };
}

/** Whether a policy lets a tool run with any arguments, as often as a model calls it. */
export function isUnconditional(
  rules: readonly CompiledRule[],
  budgets: readonly CompiledBudget[],
  call: PolicyCall,
): boolean {
  const tool = { ...call, isToolOnly: true };
  return isEnabled(rules, tool) && !budgets.some(({ counts }) => counts(tool));
}

/** Whether rules let a tool run with any arguments. Leniently, with some, or with an approval. */
function isEnabled(rules: readonly CompiledRule[], tool: MatchedCall, isLenient = false): boolean {
  const traces = rules.map((rule) => rule.evaluate(tool, isLenient)).filter(({ matched }) => matched);
  const strictest = OUTCOMES.find((outcome) => traces.some((trace) => trace.outcome === outcome));
  return (
    strictest === "allow" || (isLenient && strictest === "ask" && traces.some(({ needsExactName }) => !needsExactName))
  );
}
