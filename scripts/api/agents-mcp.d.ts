// What svc-sdk/agents/mcp exports. Written by npm run docs:api; what changes here changes for users.

export interface McpAnnotations {
    destructiveHint?: boolean;
    idempotentHint?: boolean;
    openWorldHint?: boolean;
    readOnlyHint?: boolean;
}

export interface McpClientLike {
    callTool(params: {
        name: string;
        arguments: Record<string, unknown>;
    }, ...options: never[]): Promise<unknown>;
    listTools(params?: {
        cursor?: string;
    }): Promise<{
        readonly tools: readonly McpListedTool[];
        readonly nextCursor?: string | undefined;
    }>;
}

export interface McpContext {
    readonly mcpReq: {
        readonly signal: AbortSignal;
        readonly inputResponses?: Record<string, unknown>;
        requestState(): unknown;
        readonly _meta?: {
            readonly progressToken?: string | number | undefined;
        } | undefined;
        notify(notification: McpProgress): Promise<void>;
    };
}

export interface McpElicitation {
    method: "elicitation/create";
    params: {
        mode: "form";
        message: string;
        requestedSchema: {
            type: "object";
            properties: Record<string, never>;
        };
    };
}

export interface McpInputRequired {
    [field: string]: unknown;
    inputRequests: Record<string, McpElicitation>;
    requestState: string;
    resultType: "input_required";
}

export interface McpListedTool {
    readonly annotations?: object | undefined;
    readonly description?: string | undefined;
    readonly inputSchema: object;
    readonly name: string;
    readonly outputSchema?: object | undefined;
}

export interface McpLock {
    readonly tools: Readonly<Record<string, string>>;
}

export interface McpOptions {
    readonly approvals?: ApprovalIssuer | undefined;
    readonly approver?: string | undefined;
    readonly progressIntervalMs?: number | undefined;
}

export interface McpProgress {
    [field: string]: unknown;
    method: "notifications/progress";
    params: {
        progressToken: string | number;
        progress: number;
        message: string;
    };
}

export interface McpResult {
    [field: string]: unknown;
    content: {
        type: "text";
        text: string;
    }[];
    isError?: boolean;
    structuredContent?: Record<string, unknown>;
}

export interface McpServerLike {
    registerTool(name: string, config: {
        description: string;
        inputSchema: PassthroughSchema;
        outputSchema?: PassthroughSchema;
        annotations: McpAnnotations;
    }, handler: (args: unknown, context: McpContext) => Promise<McpResult | McpInputRequired>): unknown;
}

export interface McpToolsOptions {
    readonly lock?: McpLock | undefined;
    readonly onLockMismatch?: "throw" | "omit" | undefined;
    readonly onOmitted?: ((error: ConfigError) => void) | undefined;
    readonly prefix?: string | undefined;
    readonly trustHints?: boolean | undefined;
}

export declare function mcpLock(client: McpClientLike): Promise<McpLock>;

export declare function mcpServer<Server extends McpServerLike>(tools: Toolset, server: Server, options?: McpOptions): Server;

export declare function mcpTools(client: McpClientLike, given?: McpToolsOptions): Promise<LocalTool[]>;
