// What svc-sdk/agents/openai-agents exports. Written by npm run docs:api; what changes here changes for users.

export interface AgentsModule<Tool> {
    readonly tool: (options: AgentsToolOptions) => Tool;
}

export interface AgentsToolOptions {
    description: string;
    execute(): Promise<string>;
    name: string;
    needsApproval?: (context: unknown, input: unknown, callId?: string) => Promise<boolean>;
    parameters: {
        type: "object";
        properties: Record<string, never>;
        required: string[];
        additionalProperties: true;
    };
    strict: false;
}

export interface OpenAIAgentsOptions extends StrictOption {
    readonly approvals?: readonly string[] | undefined;
}

export declare function openaiAgents<Tool extends object>(tools: Toolset, library: AgentsModule<Tool>, options?: OpenAIAgentsOptions): Tool[];
