// What svc-sdk/agents/mastra exports. Written by npm run docs:api; what changes here changes for users.

export interface MastraContext {
    readonly abortSignal?: AbortSignal;
    readonly agent?: {
        readonly toolCallId: string;
    };
    readonly toolCallId?: string;
}

export interface MastraOptions {
    readonly target?: Target | undefined;
}

export interface MastraTool {
    description: string;
    execute(input: unknown, context?: MastraContext): Promise<string>;
    id: string;
    inputSchema: AcceptingSchema;
}

export declare function mastra(tools: Toolset, { target }?: MastraOptions): Record<string, MastraTool>;
