// What svc-sdk/agents/policy exports. Written by npm run docs:api; what changes here changes for users.

export {
    Policy,
} from "svc-sdk/agents";

export interface Budget extends ToolMatch {
    readonly bytesOut?: number;
    readonly calls?: number;
    readonly name?: string | undefined;
    readonly per?: "user" | "scope" | "all" | undefined;
    readonly perTool?: number;
    readonly withinMs?: number | undefined;
}

export interface BudgetStore {
    take(charges: readonly Charge[]): Promise<number | undefined>;
}

export interface Charge {
    readonly amount: number;
    readonly key: string;
    readonly limit: number;
    readonly withinMs: number | undefined;
}

export interface Condition {
    readonly atLeast?: number | undefined;
    readonly atMost?: number | undefined;
    readonly every?: Condition | undefined;
    readonly is?: unknown;
    readonly like?: string | undefined;
    readonly not?: Condition | undefined;
    readonly oneOf?: readonly unknown[] | undefined;
    readonly present?: boolean | undefined;
    readonly some?: Condition | undefined;
}

export type Conditions = Readonly<Record<string, Condition>>;

export interface CountedFor {
    readonly principal: string;
    readonly scope: string | undefined;
}

export interface CustomPolicy {
    count?(executions: readonly Execution[], counted: CountedFor): Promise<Decision>;
    decide(execution: Execution): Decision | Promise<Decision>;
    readonly digest: string;
}

export type Explanation = Decision & {
    readonly trace: readonly RuleTrace[];
};

export interface JudgedCall {
    readonly accountId?: string | undefined;
    readonly arguments?: Execution["arguments"] | undefined;
    readonly tool: Pick<AgentTool, "name"> & Partial<Pick<AgentTool, "toolkit" | "tags" | "version" | "kind">>;
    readonly userId?: string | undefined;
}

export interface MemoryBudgetsOptions {
    readonly now?: (() => number) | undefined;
}

export interface PolicyOptions {
    readonly budgets?: BudgetStore | undefined;
}

export type Predicate = (call: JudgedCall & {
    readonly arguments: Execution["arguments"];
}) => boolean;

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
};

export interface RuleMatch extends ToolMatch {
    readonly accounts?: readonly string[];
    readonly name?: string | undefined;
    readonly reason?: string | undefined;
    readonly users?: readonly string[];
    readonly versions?: readonly string[];
    readonly when?: Conditions | Predicate;
}

export interface RulePolicy extends Policy {
    count(executions: readonly Execution[], counted: CountedFor): Promise<Decision>;
    decide(call: JudgedCall): Decision;
    readonly digest: string;
    explain(call: JudgedCall): Explanation;
    forSession(tools: Iterable<SessionTool>, options?: SessionLimitsOptions): SessionLimits;
}

export interface RuleTrace {
    readonly error: unknown;
    readonly failed: keyof RuleMatch | undefined;
    readonly isUnnamed: boolean;
    readonly matched: boolean;
    readonly outcome: Outcome;
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
    readonly allowed?: "always" | "sometimes" | undefined;
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

export declare function memoryBudgets({ now }?: MemoryBudgetsOptions): BudgetStore;

export declare function policy(rules: readonly Rule[], options?: PolicyOptions): RulePolicy;

export declare function policyFromJson(content: unknown, options?: PolicyOptions): RulePolicy;
