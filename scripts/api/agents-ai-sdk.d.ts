// What svc-sdk/agents/ai-sdk exports. Written by npm run docs:api; what changes here changes for users.

export interface AiSdkApprovalContext {
    readonly messages?: readonly object[];
    readonly toolCall: {
        readonly toolCallId: string;
        readonly toolName: string;
        readonly input: unknown;
    };
}

export interface AiSdkOptions {
    readonly approvals?: readonly string[] | undefined;
    readonly defer?: DeferOption["defer"];
    readonly target?: Target | undefined;
}

export interface AiSdkTool {
    deferLoading?: true;
    description: string;
    execute(input: unknown, options: {
        readonly toolCallId: string;
        readonly abortSignal?: AbortSignal;
        readonly messages?: readonly object[];
    }): Promise<string>;
    inputSchema: PassthroughSchema;
    strict?: boolean;
}

export declare function aiSdk(tools: Toolset, options?: AiSdkOptions): Record<string, AiSdkTool>;

export declare function aiSdkApproval(tools: Toolset, options?: AiSdkOptions): (context: AiSdkApprovalContext) => Promise<"user-approval" | undefined>;
