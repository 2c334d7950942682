// What svc-sdk/agents/langchain exports. Written by npm run docs:api; what changes here changes for users.

export interface Invokable {
    invoke(...given: never[]): unknown;
}

export interface LangChainConfig {
    readonly metadata?: Readonly<Record<string, unknown>>;
    readonly signal?: AbortSignal;
    readonly state?: unknown;
    readonly toolCall?: {
        readonly id?: string;
    };
}

export interface LangChainFields {
    description: string;
    extras?: Record<string, unknown>;
    func(input: unknown, manager?: unknown, config?: LangChainConfig): Promise<string>;
    name: string;
    schema: Record<string, unknown>;
}

export interface LangChainModule<Tool> {
    readonly DynamicStructuredTool: new (fields: LangChainFields) => Tool;
    readonly interrupt?: ((pending: PendingApproval) => unknown) | undefined;
}

export interface LangChainOptions {
    readonly target?: Target | undefined;
}

export declare function langchain<Tool extends Invokable>(tools: Toolset, library: LangChainModule<Tool>, options?: LangChainOptions): Tool[];
