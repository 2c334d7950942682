// What svc-sdk/agents/policy exports. Written by npm run docs:api; what changes here changes for users.

export {
    ApprovalBudget,
    ApprovalFile,
    ApprovalRequest,
    ApprovalResult,
    Approvals,
    PendingApproval,
    Policy,
} from "svc-sdk/agents";

export type ApprovalDecision = (ApproveOptions & {
    readonly approved: true;
    readonly reason?: string | undefined;
}) | (DenyOptions & {
    readonly approved: false;
});

export interface ApprovalIssuer {
    approve(request: PendingApproval | string, options: ApproveOptions): Promise<string>;
    deny(request: PendingApproval | string, options: DenyOptions): Promise<string>;
    request(pending: PendingApproval, options: ApproveOptions): Promise<ApprovalPrompt>;
    respond(prompt: string, decision: PromptDecision): Promise<ApprovalResponse>;
}

export interface ApprovalListQuery {
    readonly before: string | null;
    readonly conversationId: string | null;
    readonly limit: number;
    readonly state: string;
    readonly userId: string | null;
}

export interface ApprovalPrompt {
    readonly description: string;
    readonly token: string;
}

export declare class ApprovalRejectedError extends SvcError {
    constructor(reason: ApprovalRejectionReason);
    readonly reason: ApprovalRejectionReason;
}

export type ApprovalRejectionReason = keyof typeof WORDS;

export interface ApprovalResponse {
    readonly callId: string;
    readonly token: string;
}

export interface ApprovalStore {
    find(id: string): Promise<string | undefined>;
    list(query: ApprovalListQuery): Promise<readonly ListedApproval[]>;
    swap(record: StoredApproval, expected: string | undefined): Promise<boolean>;
}

export interface ApprovalsOptions {
    readonly keys: readonly HmacKey[];
    readonly now?: (() => number) | undefined;
    readonly onRequest?: OnRequest | undefined;
    readonly requestExpiresInMs?: number | undefined;
    readonly store?: ApprovalStore | undefined;
}

export interface ApproveOptions {
    readonly approver: string;
    readonly expiresInMs?: number | undefined;
}

export interface ArgumentChange {
    readonly after: string | undefined;
    readonly before: string | undefined;
    readonly path: string;
}

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

export interface AskInspectorOptions {
    readonly expiresInMs?: number | undefined;
}

export interface Audit {
}

export interface AuditEntry {
    readonly accountId?: string | undefined;
    readonly approver?: string | undefined;
    readonly arguments?: Readonly<Record<string, unknown>> | undefined;
    readonly argumentsDigest?: string | undefined;
    readonly at: string;
    readonly callId: string;
    readonly conversationId?: string | undefined;
    readonly decisions: readonly AuditedDecision[];
    readonly isReplay?: boolean | undefined;
    readonly labels?: readonly string[] | undefined;
    readonly program?: string | undefined;
    readonly sessionId?: string | undefined;
    readonly status?: CallStatus | undefined;
    readonly tool?: string | undefined;
    readonly type: "started" | "ended";
    readonly userId?: string | undefined;
    readonly version?: string | undefined;
}

export interface AuditHead {
    readonly hash: string | null;
    readonly number: number;
}

export interface AuditLine {
    readonly entry: AuditEntry;
    readonly key: string;
    readonly log: string;
    readonly number: number;
    readonly previous: string | null;
}

export interface AuditOptions {
    readonly keys: readonly HmacKey[];
    readonly now?: (() => number) | undefined;
    readonly onFailure?: "stop" | "continue" | undefined;
    readonly program?: string | undefined;
    readonly to: AuditSink | ((line: string) => unknown);
    readonly withArguments?: boolean | undefined;
}

export type AuditProblem = "changed" | "missing" | "repeated" | "other_log" | "cut";

export interface AuditSink {
    append(lines: readonly string[], last: string | undefined): Promise<boolean>;
    last(): Promise<string | undefined>;
}

export type AuditVerification = {
    readonly ok: true;
    readonly lines: number;
    readonly head: AuditHead;
} | {
    readonly ok: false;
    readonly problem: AuditProblem;
    readonly line: number;
};

export interface AuditedDecision {
    readonly outcome: DecisionOutcome;
    readonly rule: string | undefined;
    readonly tool: string;
}

export interface Budget extends ToolMatch {
    readonly atLimit?: "deny" | "ask" | undefined;
    readonly costs?: Readonly<Record<string, number>> | undefined;
    readonly id?: string | undefined;
    readonly maxArgumentBytes?: number;
    readonly maxCalls?: number;
    readonly maxCallsPerTool?: number;
    readonly maxCost?: number;
    readonly name?: string | undefined;
    readonly per?: "user" | "conversation" | "all" | undefined;
    readonly windowMs?: number | undefined;
}

export interface BudgetPeek {
    readonly budgets: readonly ApprovalBudget[];
    readonly decision: Decision;
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
    readonly unit: "calls" | "calls of a tool" | "bytes" | "cost";
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
    peek?(executions: readonly Execution[], counted: BudgetSubject): Promise<BudgetPeek>;
}

export interface DenyOptions extends Pick<ApproveOptions, "approver"> {
    readonly reason?: string | undefined;
}

export type Explanation = Decision & {
    readonly trace: readonly RuleTrace[];
};

export interface HmacKey {
    readonly id: string;
    readonly secret: string;
}

export interface InnerApproval {
    readonly description: string;
    readonly name: string;
    readonly reason: string | null;
}

export type ListedApproval = Pick<StoredApproval, "position" | "value">;

export interface ListedRequest {
    readonly approver: string | null;
    readonly decidedAt: number | null;
    readonly pending: PendingApproval;
    readonly reason: string | null;
    readonly requestedAt: number;
    readonly state: RequestState;
}

export interface MemoryApprovalsOptions {
    readonly maxRecords?: number | undefined;
}

export interface MemoryBudgetsOptions {
    readonly now?: (() => number) | undefined;
}

export interface OpenApprovalRequest {
    readonly approved?: undefined;
    readonly expiresInMs: number;
}

export interface PolicyCall {
    readonly accountId?: string | undefined;
    readonly arguments?: Execution["arguments"] | undefined;
    readonly labels?: readonly string[] | undefined;
    readonly tool: Pick<AgentTool, "name"> & Partial<Pick<AgentTool, "toolkit" | "tags" | "version" | "kind">>;
    readonly userId?: string | undefined;
}

export interface PolicyOptions {
    readonly allowUnknownNames?: boolean | undefined;
    readonly budgets?: BudgetStore | undefined;
}

export type Predicate = (call: PolicyCall & {
    readonly arguments: Execution["arguments"];
}) => boolean;

export interface PromptDecision {
    readonly approved: boolean;
    readonly reason?: string | undefined;
}

export interface RequestQuery {
    readonly conversationId?: string | undefined;
    readonly state?: RequestState | undefined;
    readonly userId?: string | undefined;
}

export type RequestState = "pending" | "approved" | "denied" | "withdrawn" | "expired";

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
    peek(executions: readonly Execution[], counted: BudgetSubject): Promise<BudgetPeek>;
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

export interface StandingApproval extends Omit<StandingOptions, "expiresInMs"> {
    readonly createdAt: number;
    readonly expiresAt: number;
    readonly id: string;
    readonly request: PendingApproval;
    readonly revokedBy: string | null;
    readonly uses: number;
}

export interface StandingApprovals {
    approve(request: PendingApproval | string, options: StandingOptions): Promise<StandingApproval>;
    list(query?: StandingQuery): AsyncIterable<StandingApproval>;
    revoke(id: string, options: Pick<ApproveOptions, "approver">): Promise<void>;
}

export interface StandingOptions extends ApproveOptions {
    readonly accounts?: readonly string[];
    readonly conversations?: "same" | "all" | undefined;
    readonly maxUses: number;
    readonly tools?: readonly string[];
    readonly when?: Conditions;
}

export interface StandingQuery {
    readonly state?: "active" | "revoked" | undefined;
    readonly userId?: string | undefined;
}

export interface StoredApproval {
    readonly conversationId: string | null;
    readonly id: string;
    readonly position: string;
    readonly state: string;
    readonly ttlMs: number;
    readonly userId: string | null;
    readonly value: string;
}

export interface TokenApprovals extends Approvals, ApprovalIssuer {
    decide(request: PendingApproval | string, decision: ApprovalDecision): Promise<ListedRequest | undefined>;
    get(id: string): Promise<ListedRequest | undefined>;
    list(query?: RequestQuery): AsyncIterable<ListedRequest>;
    readonly standing: StandingApprovals;
    withdraw(request: PendingApproval | string, options: DenyOptions): Promise<void>;
}

export interface ToolMatch {
    readonly tags?: readonly string[];
    readonly toolkits?: readonly string[];
    readonly tools?: readonly string[];
}

export interface VerifyAuditOptions {
    readonly after?: AuditHead | undefined;
    readonly head?: AuditHead | undefined;
    readonly keys: readonly HmacKey[];
}

export declare function allow(match: RuleMatch): Rule;

export declare function approvalChanges({ previousArguments, arguments: args }: PendingApproval): ArgumentChange[];

export declare function approvals(options: ApprovalsOptions): TokenApprovals;

export declare function ask(match: RuleMatch): Rule;

export declare function askInspector(source: ToolClient | ToolSession, options?: AskInspectorOptions): (pending: PendingApproval) => Promise<ApprovalDecision | OpenApprovalRequest | undefined>;

export declare function audit(options: AuditOptions): Audit;

export declare function budget(limits: Budget): Rule;

export declare function customPolicy(custom: CustomPolicy): Policy;

export declare function deny(match: RuleMatch): Rule;

export declare function describeApproval(pending: PendingApproval): string;

export declare function dryRun(match: RuleMatch): Rule;

export declare function label(as: string, match: ToolMatch): Rule;

export declare function memoryApprovals(options?: MemoryApprovalsOptions): ApprovalStore;

export declare function memoryBudgets(options?: MemoryBudgetsOptions): BudgetStore;

export declare function policy(rules: readonly Rule[], options?: PolicyOptions): RulePolicy;

export declare function policyFromJson(content: unknown, options?: PolicyOptions): RulePolicy;

export declare function verifyAudit(lines: Iterable<string> | AsyncIterable<string>, options: VerifyAuditOptions): Promise<AuditVerification>;

// Not exported, but exports are made of it.

type MaybeDecision = ApprovalDecision | OpenApprovalRequest | undefined | void;

export type OnRequest = (pending: PendingApproval) => MaybeDecision | Promise<MaybeDecision>;

declare const WORDS: {
    malformed: string;
    unsupported_version: string;
    not_canonical: string;
    bad_signature: string;
    expired: string;
    not_approved: string;
    not_a_request: string;
    unknown_request: string;
    already_decided: string;
    other_call: string;
    other_tool: string;
    other_version: string;
    other_arguments: string;
    other_user: string;
    other_account: string;
    other_session: string;
    other_scope: string;
    other_policy: string;
    other_budgets: string;
};
