// What svc-sdk/agents/approvals exports. Written by npm run docs:api; what changes here changes for users.

export {
    ApprovalFile,
    ApprovalRequest,
    ApprovalResult,
    Approvals,
    PendingApproval,
} from "svc-sdk/agents";

export type ApprovalDecision = (ApproveOptions & {
    readonly approved: true;
    readonly reason?: string | undefined;
}) | (DenyOptions & {
    readonly approved: false;
});

export interface ApprovalIssuer {
    approve(pending: PendingApproval, options: ApproveOptions): Promise<string>;
    decide(request: string, decision: RequestDecision): Promise<ApprovalResponse>;
    deny(pending: PendingApproval, options: DenyOptions): Promise<string>;
    request(pending: PendingApproval, options: ApproveOptions): Promise<ApprovalPrompt>;
}

export interface ApprovalKey {
    readonly id: string;
    readonly secret: string;
}

export interface ApprovalPrompt {
    readonly description: string;
    readonly token: string;
}

export declare class ApprovalRejectedError extends SvcError {
    protected static readonly brand: string;
    constructor(reason: ApprovalRejectionReason);
    readonly reason: ApprovalRejectionReason;
}

export type ApprovalRejectionReason = keyof typeof WORDS;

export interface ApprovalResponse {
    readonly callId: string;
    readonly token: string;
}

export interface ApprovalsOptions {
    readonly keys: readonly ApprovalKey[];
    readonly now?: (() => number) | undefined;
    readonly onApproval?: ((pending: PendingApproval) => MaybeDecision | Promise<MaybeDecision>) | undefined;
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

export interface AskInspectorOptions {
    readonly expiresInMs?: number | undefined;
}

export interface DenyOptions extends Pick<ApproveOptions, "approver"> {
    readonly reason?: string | undefined;
}

export interface OpenQuestion {
    readonly approved?: undefined;
    readonly expiresInMs: number;
}

export interface RequestDecision {
    readonly approved: boolean;
    readonly reason?: string | undefined;
}

export interface TokenApprovals extends Approvals, ApprovalIssuer {
}

export declare function approvalChanges({ earlier, arguments: args }: PendingApproval): ArgumentChange[];

export declare function approvals(options: ApprovalsOptions): TokenApprovals;

export declare function askInspector(source: ToolClient | ToolSession, options?: AskInspectorOptions): (pending: PendingApproval) => Promise<ApprovalDecision | OpenQuestion | undefined>;

export declare function describeApproval(pending: PendingApproval): string;

// Not exported, but exports are made of it.

type MaybeDecision = ApprovalDecision | OpenQuestion | undefined | void;

declare const WORDS: {
    malformed: string;
    unsupported_version: string;
    not_canonical: string;
    bad_signature: string;
    expired: string;
    not_approved: string;
    not_a_request: string;
    other_call: string;
    other_tool: string;
    other_version: string;
    other_arguments: string;
    other_user: string;
    other_account: string;
    other_session: string;
    other_scope: string;
    other_policy: string;
};
