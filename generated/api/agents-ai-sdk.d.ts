// What svc-sdk/agents/ai-sdk exports. Written by npm run docs:api; what changes here changes for users.

export interface AiSdkOptions {
    readonly target?: Target | undefined;
}

export interface AiSdkTool {
    description: string;
    execute(input: unknown, options: {
        readonly toolCallId: string;
        readonly abortSignal?: AbortSignal;
    }): Promise<string>;
    inputSchema: AcceptingSchema;
    strict?: boolean;
}

export declare function aiSdk(tools: Toolset, { target }?: AiSdkOptions): Record<string, AiSdkTool>;
