// What svc-sdk/agents/mcp exports. Written by npm run docs:api; what changes here changes for users.

export interface McpAnnotations {
    destructiveHint?: boolean;
    idempotentHint?: boolean;
    openWorldHint?: boolean;
    readOnlyHint?: boolean;
}

export interface McpContext {
    readonly mcpReq: {
        readonly signal: AbortSignal;
    };
}

export interface McpResult {
    [field: string]: unknown;
    content: {
        type: "text";
        text: string;
    }[];
    isError?: boolean;
}

export interface McpServerLike {
    registerTool(name: string, config: {
        description: string;
        inputSchema: AcceptingSchema;
        annotations: McpAnnotations;
    }, handler: (args: unknown, context: McpContext) => Promise<McpResult>): unknown;
}

export declare function mcpServer<Server extends McpServerLike>(tools: Toolset, server: Server): Server;
