import { ConfigError, checkNames } from "../../errors/local.js";
import { fieldsOf, isLiteral, isObject, isString } from "../../shared/json.js";
import type { AgentTool } from "../agent-tool.js";
import type { Guard } from "../guard.js";
import { type GuardContext, Policy } from "../policy-base.js";
import { principalOf } from "../subject.js";
import { MULTI_EXECUTE } from "../tools/meta-tools.js";
import { ConversationLabels } from "./conversation-labels.js";
import type { CustomPolicy } from "./custom-policy.js";
import { evaluateCall } from "./evaluate-call.js";
import { type FindTools, finder } from "./inner-calls.js";
import type { LabelRules } from "./label-rules.js";
import type { CallCounter } from "./policy-context.js";
import type { PolicyCall } from "./rules.js";

/**
 * Creates a policy from your own functions: the option `policy` of a toolset.
 *
 * ```ts
 * const ownRepositories = customPolicy({
 *   digest: "1",
 *   decide: ({ tool, arguments: args }) => {
 *     if (tool.tags.includes("readOnlyHint") || args["owner"] === "my-company") return { outcome: "allow" };
 *     return { outcome: "deny", reason: "Only my-company's repositories may be changed." };
 *   },
 * });
 * ```
 *
 * @throws {ConfigError} if `digest` isn't a string, if `decide` or `count` isn't a function, or if an object literal
 * has other fields.
 */
export function customPolicy(custom: CustomPolicy): Policy {
  // With a misspelled count, nothing would be counted. An object of a class may have other fields for its state.
  if (isObject(custom) && isLiteral(custom)) checkNames("customPolicy", custom, FIELDS);
  // The functions of now: one that is assigned later would hold under the digest of these.
  const { digest, decide, count, peek }: Partial<CustomPolicy> = fieldsOf(custom, FIELDS) ?? {};
  // What JavaScript can get wrong: without a digest, an approval would hold for any policy without one.
  if (!isString(digest) || digest === "") {
    throw new ConfigError("customPolicy: digest must be a string that identifies the rules.");
  }
  if (typeof decide !== "function") throw new ConfigError("customPolicy: decide must be a function.");
  for (const [name, given] of Object.entries({ count, peek })) {
    if (given !== undefined && typeof given !== "function") {
      throw new ConfigError(`customPolicy: ${name} must be a function.`);
    }
  }
  const made = new EnforcedPolicy({
    digest,
    decide: decide.bind(custom),
    ...(count && { count: count.bind(custom) }),
    ...(peek && { peek: peek.bind(custom) }),
  });
  Object.freeze(made);
  return made;
}

/** The fields of a custom policy, and those that a copy of a rule policy adds. */
const FIELDS = ["digest", "decide", "count", "peek", "budgets", "explain", "forSession"];

/** Facts about the rules of a policy. */
interface ReadRules {
  /** Throws for names in rules that nothing has. */
  readonly checkNames: ((context: GuardContext, findTools: FindTools) => Promise<void>) | undefined;
  /** Whether a rule lets calls run, perhaps after an approval or without an effect. */
  readonly canAllow: boolean;
  /** Whether a rule or a budget asks about some calls of a tool. */
  asksAbout(tool: AgentTool): boolean;
  /** Counts calls, and lets a person's approval pass limits. */
  readonly counter: CallCounter;
  /** Whether the rules let a tool run with any arguments. */
  isUnconditional(call: PolicyCall): boolean;
  /** `undefined` if no rule gives a label. */
  readonly labels: LabelRules | undefined;
}

/** A policy, and the code that enforces it. */
export class EnforcedPolicy extends Policy {
  readonly #policy: CustomPolicy;
  readonly #rules: ReadRules | undefined;
  /** A server creates many toolsets with one policy. */
  readonly #warnings = new Set<string>();

  constructor(policy: CustomPolicy, rules?: ReadRules) {
    super();
    this.#policy = policy;
    this.#rules = rules;
  }

  override get hasLabels(): boolean {
    return this.#rules?.labels !== undefined;
  }

  override async guard(context: GuardContext): Promise<Guard> {
    const labels = this.#rules?.labels && new ConversationLabels(this.#rules.labels, context);
    await labels?.start();
    const { count } = this.#policy;
    const counter = this.#rules?.counter ?? {
      ...this.#policy,
      asking: () => [],
      counts: () => count !== undefined,
      park: async () => undefined,
      isParked: async () => false,
    };
    const { scope, userId, conversationId } = context;
    const counted = { principal: principalOf(context) ?? "", conversationId };
    const policyContext = { ...context, policy: this.#policy, counter, counted, findTools: finder(context), labels };
    await this.#rules?.checkNames?.(context, policyContext.findTools);
    for (const warning of this.#rules ? warningsOf(this.#rules, context) : []) {
      if (!this.#warnings.has(warning)) console.warn(`toolset: ${warning}`);
      this.#warnings.add(warning);
    }
    return {
      digest: this.#policy.digest,
      decide: evaluateCall.bind(undefined, policyContext),
      // Without the record, the call is counted again.
      parked: (call) => counter.park(scope, call, counted).catch(() => undefined),
      isUnconditional: (tool) =>
        tool.name !== MULTI_EXECUTE && (this.#rules?.isUnconditional({ tool, userId }) ?? false),
      labels,
    };
  }
}

/** The calls that never run, of which otherwise only the model would learn. */
function warningsOf(rules: ReadRules, { approvals, tools }: Pick<GuardContext, "approvals" | "tools">): string[] {
  if (!rules.canAllow) {
    return [
      'the policy has no rule that allows calls, so none runs. Add one, such as allow({ toolkits: ["github"] }).',
    ];
  }
  if (approvals || !tools.some((tool) => rules.asksAbout(tool))) return [];
  return ["the policy asks for approvals, but the toolset has none, so those calls never run. Pass approvals."];
}
