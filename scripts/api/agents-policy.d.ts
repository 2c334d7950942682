// What svc-sdk/agents/policy exports. Written by npm run docs:api; what changes here changes for users.

export {
    Policy,
} from "svc-sdk/agents";

export interface ArgumentCondition {
    readonly atLeast?: number | undefined;
    readonly atMost?: number | undefined;
    readonly every?: ArgumentCondition | undefined;
    readonly is?: unknown;
    readonly like?: string | undefined;
    readonly not?: ArgumentCondition | undefined;
    readonly oneOf?: readonly unknown[] | undefined;
    readonly present?: boolean | undefined;
    readonly some?: ArgumentCondition | undefined;
}

export interface Budget extends ToolMatch {
    readonly id?: string | undefined;
    readonly maxArgumentBytes?: number;
    readonly maxCalls?: number;
    readonly maxCallsPerTool?: number;
    readonly name?: string | undefined;
    readonly per?: "user" | "conversation" | "all" | undefined;
    readonly windowMs?: number | undefined;
}

export interface BudgetQuery {
    readonly conversationId?: string | undefined;
    readonly id: string;
    readonly tools?: readonly string[] | undefined;
    readonly userId?: string | undefined;
}

export interface BudgetStore {
    consume(charges: readonly Charge[]): Promise<number | undefined>;
    read(counted: Pick<Charge, "key" | "windowMs">): Promise<number>;
}

export interface BudgetSubject {
    readonly conversationId: string | undefined;
    readonly principal: string;
}

export interface BudgetUse {
    readonly left: number;
    readonly limit: number;
    readonly tool: string | undefined;
    readonly unit: "calls" | "calls of a tool" | "bytes";
    readonly used: number;
    readonly windowMs: number | undefined;
}

export interface Charge {
    readonly amount: number;
    readonly key: string;
    readonly limit: number;
    readonly windowMs: number | undefined;
}

export type Conditions = Readonly<Record<string, ArgumentCondition>>;

export interface CustomPolicy {
    count?(executions: readonly Execution[], counted: BudgetSubject): Promise<Decision>;
    decide(execution: Execution): Decision | Promise<Decision>;
    readonly digest: string;
}

export type Explanation = Decision & {
    readonly trace: readonly RuleTrace[];
};

export interface MemoryBudgetsOptions {
    readonly now?: (() => number) | undefined;
}

export interface PolicyCall {
    readonly accountId?: string | undefined;
    readonly arguments?: Execution["arguments"] | undefined;
    readonly labels?: readonly string[] | undefined;
    readonly tool: Pick<AgentTool, "name"> & Partial<Pick<AgentTool, "toolkit" | "tags" | "version" | "kind">>;
    readonly userId?: string | undefined;
}

export interface PolicyOptions {
    readonly budgets?: BudgetStore | undefined;
    readonly shared?: boolean | undefined;
}

export type Predicate = (call: PolicyCall & {
    readonly arguments: Execution["arguments"];
}) => boolean;

export interface ResultLabel extends ToolMatch {
    readonly as: string;
}

export type Rule = {
    readonly allow: RuleMatch;
} | {
    readonly ask: RuleMatch;
} | {
    readonly deny: RuleMatch;
} | {
    readonly dryRun: RuleMatch;
} | {
    readonly budget: Budget;
} | {
    readonly label: ResultLabel;
};

export interface RuleMatch extends ToolMatch {
    readonly accounts?: readonly string[];
    readonly after?: readonly string[];
    readonly name?: string | undefined;
    readonly reason?: string | undefined;
    readonly users?: readonly string[];
    readonly versions?: readonly string[];
    readonly when?: Conditions | Predicate;
}

export interface RulePolicy extends Policy {
    readonly budgets: {
        read(query: BudgetQuery): Promise<BudgetUse[]>;
    };
    count(executions: readonly Execution[], counted: BudgetSubject): Promise<Decision>;
    decide(call: PolicyCall): Decision;
    readonly digest: string;
    explain(call: PolicyCall): Explanation;
    forSession(tools: Iterable<SessionTool>, options?: SessionLimitsOptions): SessionLimits;
}

export interface RuleTrace {
    readonly error: unknown;
    readonly failed: keyof RuleMatch | undefined;
    readonly matched: boolean;
    readonly needsExactName: boolean;
    readonly outcome: DecisionOutcome;
    readonly rule: string;
    readonly unknown: readonly (keyof RuleMatch)[];
}

export interface SessionLimits {
    readonly execute: {
        enable_multi_execute: boolean;
    };
    readonly manage_connections: {
        enable: boolean;
    };
    readonly toolkits: {
        enable: string[];
    };
    readonly tools: Record<string, {
        enable: string[];
    }>;
    readonly workbench: {
        enable: boolean;
    };
}

export interface SessionLimitsOptions {
    readonly allowed?: "unconditionally" | "conditionally" | undefined;
}

export type SessionTool = Pick<Tool, "slug" | "toolkit" | "tags">;

export interface ToolMatch {
    readonly tags?: readonly string[];
    readonly toolkits?: readonly string[];
    readonly tools?: readonly string[];
}

export declare function allow(match: RuleMatch): Rule;

export declare function ask(match: RuleMatch): Rule;

export declare function budget(limits: Budget): Rule;

export declare function customPolicy(custom: CustomPolicy): Policy;

export declare function deny(match: RuleMatch): Rule;

export declare function dryRun(match: RuleMatch): Rule;

export declare function label(as: string, match: ToolMatch): Rule;

export declare function memoryBudgets(options?: MemoryBudgetsOptions): BudgetStore;

export declare function policy(rules: readonly Rule[], options?: PolicyOptions): RulePolicy;

export declare function policyFromJson(content: unknown, options?: PolicyOptions): RulePolicy;
