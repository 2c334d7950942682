// What svc-sdk/agents/openai exports. Written by npm run docs:api; what changes here changes for users.

export interface AnswerOption<Item, Answer> {
    readonly answer?: ((item: Item) => Answer | undefined | Promise<Answer | undefined>) | undefined;
}

export type CallOutput = FunctionCallOutput | CustomCallOutput | OpenAIRefusal;

export interface ChatDefinition {
    function: {
        name: string;
        description: string;
        parameters: Record<string, unknown>;
        strict: boolean;
    };
    type: "function";
}

export interface ChatTurn<Message> extends TurnFacts<object> {
    readonly messages: (Message | ChatToolMessage)[];
}

export interface CustomCallOutput extends Omit<FunctionCallOutput, "type"> {
    type: "custom_tool_call_output";
}

export interface DeferOption {
    readonly defer?: ((tool: AgentTool) => boolean) | undefined;
}

export interface FunctionCallOutput {
    call_id: string;
    caller?: {
        type: "direct";
    } | {
        type: "program";
        caller_id: string;
    };
    output: string;
    type: "function_call_output";
}

export interface FunctionDefinition {
    allowed_callers?: ("direct" | "programmatic")[];
    defer_loading?: boolean;
    description: string;
    name: string;
    output_schema?: Record<string, unknown>;
    parameters: Record<string, unknown>;
    strict: boolean;
    type: "function";
}

export interface NoHostedTool {
    readonly defer?: undefined;
    readonly programmatic?: false | undefined;
}

export interface OpenAIChatTools {
    readonly definitions: ChatDefinition[];
    resume<Message extends object>(ticket: TurnTicket<Message>, options?: ResumeOptions): Promise<ChatTurn<Message> & Resumed<Message>>;
    run<Message extends object>(completion: {
        readonly id?: string | null;
        readonly choices: readonly {
            readonly message: Message;
            readonly finish_reason?: string | null;
        }[];
    }, options?: RunOptions): Promise<ChatTurn<Message>>;
    run<Chunk extends object>(stream: AsyncIterable<Chunk>, options?: StreamOptions<Chunk>): Promise<ChatTurn<StreamedMessage>>;
}

export type OpenAIHostedTool = ToolSearchDefinition | ProgramsDefinition;

export interface OpenAIOptions extends StrictOption, DeferOption, ProgrammaticOption {
}

export interface OpenAITools<Search = never> {
    readonly definitions: (FunctionDefinition | Search)[];
    resume<Message extends object>(ticket: TurnTicket<Message>, options?: ResumeOptions): Promise<ResponseTurn<Message> & Resumed<Message>>;
    run<Item extends object, Answer extends object = never>(response: {
        readonly output: readonly Item[];
        readonly id?: string;
    }, options?: RunOptions & AnswerOption<Item, Answer>): Promise<ResponseTurn<Item, Answer>>;
    run<Event extends object, Answer extends object = never>(stream: AsyncIterable<Event>, options?: StreamOptions<Event> & AnswerOption<StreamedItem<Event>, Answer>): Promise<ResponseTurn<StreamedItem<Event>, Answer>>;
}

export interface ProgrammaticOption {
    readonly programmatic?: boolean | undefined;
}

export interface ProgramsDefinition {
    type: "programmatic_tool_calling";
}

export type ResponseInputItem<Item> = Exclude<Item, {
    readonly type: "additional_tools" | "computer_call_output";
}>;

export interface ResponseTurn<Item, Answer = never> extends TurnFacts<Item> {
    readonly items: (ResponseInputItem<Item> | CallOutput | Answer)[];
    readonly outputs: (CallOutput | Answer)[];
}

export type StreamedItem<Event> = Event extends {
    readonly type: "response.output_item.done";
    readonly item: infer Item;
} ? Item : never;

export interface ToolSearchDefinition {
    description: string;
    execution: "client";
    parameters: Record<string, unknown>;
    type: "tool_search";
}

export interface ToolSearchOutput {
    call_id: string;
    execution: "client";
    status: "completed";
    tools: FunctionDefinition[];
    type: "tool_search_output";
}

export declare function openai(tools: Toolset, options?: StrictOption & NoHostedTool): OpenAITools;

export declare function openai(tools: Toolset, options?: OpenAIOptions): OpenAITools<OpenAIHostedTool>;

export declare function openaiChat(tools: Toolset, given?: StrictOption & DeferOption): OpenAIChatTools;

// Not exported, but exports are made of it.

export interface ChatToolMessage {
    content: string;
    role: "tool";
    tool_call_id: string;
}

export type OpenAIRefusal = {
    type: "shell_call_output";
    call_id: string;
    output: {
        stdout: string;
        stderr: string;
        outcome: {
            type: "exit";
            exit_code: number;
        };
    }[];
    caller?: {
        type: "direct";
    } | {
        type: "program";
        caller_id: string;
    };
} | {
    type: "local_shell_call_output";
    id: string;
    output: string;
} | {
    type: "apply_patch_call_output";
    call_id: string;
    status: "failed";
    output: string;
    caller?: {
        type: "direct";
    } | {
        type: "program";
        caller_id: string;
    };
} | ToolSearchOutput | {
    type: "mcp_approval_response";
    approval_request_id: string;
    approve: false;
    reason: string;
};

export interface StreamedMessage {
    content: string | null;
    role: "assistant";
    tool_calls?: {
        id: string;
        type: "function";
        function: {
            name: string;
            arguments: string;
        };
    }[];
}
