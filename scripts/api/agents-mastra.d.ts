// What svc-sdk/agents/mastra exports. Written by npm run docs:api; what changes here changes for users.

export interface MastraContext {
    readonly abortSignal?: AbortSignal;
    readonly agent?: {
        readonly toolCallId: string;
    };
    readonly resumeData?: unknown;
    readonly suspend?: (payload: object) => unknown;
    readonly suspendPayload?: unknown;
    readonly toolCallId?: string;
}

export interface MastraOptions {
    readonly suspendForApproval?: boolean | undefined;
    readonly target?: Target | undefined;
}

export interface MastraTool {
    description: string;
    execute(input: unknown, context?: MastraContext): Promise<string>;
    id: string;
    inputSchema: PassthroughSchema;
    strict?: boolean;
}

export declare function mastra(tools: Toolset, options?: MastraOptions): Record<string, MastraTool>;
