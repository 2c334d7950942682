// What svc-sdk/agents/openai exports. Written by npm run docs:api; what changes here changes for users.

export interface ChatDefinition {
    function: {
        name: string;
        description: string;
        parameters: Record<string, unknown>;
        strict: boolean;
    };
    type: "function";
}

export interface ChatTurn<Message> {
    readonly hasCalls: boolean;
    readonly messages: (Message | ChatToolMessage)[];
    readonly results: CallResult[];
}

export interface FunctionCallOutput {
    call_id: string;
    output: string;
    type: "function_call_output";
}

export interface FunctionDefinition {
    description: string;
    name: string;
    parameters: Record<string, unknown>;
    strict: boolean;
    type: "function";
}

export type InputOf<Item> = Exclude<Item, {
    readonly type: "additional_tools" | "computer_call_output";
}>;

export interface OpenAIChatTools {
    readonly definitions: ChatDefinition[];
    run<Message extends object>(completion: {
        readonly id?: string | null;
        readonly choices: readonly {
            readonly message: Message;
            readonly finish_reason?: string | null;
        }[];
    }, options?: RunOptions): Promise<ChatTurn<Message>>;
    run<Chunk extends object>(stream: AsyncIterable<Chunk>, options?: StreamOptions<Chunk>): Promise<ChatTurn<StreamedMessage>>;
}

export interface OpenAITools {
    readonly definitions: FunctionDefinition[];
    run<Item extends object>(response: {
        readonly output: readonly Item[];
    }, options?: RunOptions): Promise<ResponseTurn<Item>>;
    run<Event extends object>(stream: AsyncIterable<Event>, options?: StreamOptions<Event>): Promise<ResponseTurn<StreamedItem<Event>>>;
}

export interface ResponseTurn<Item> {
    readonly hasCalls: boolean;
    readonly items: (InputOf<Item> | FunctionCallOutput)[];
    readonly outputs: FunctionCallOutput[];
    readonly results: CallResult[];
}

export type StreamedItem<Event> = Event extends {
    readonly type: "response.output_item.done";
    readonly item: infer Item;
} ? Item : never;

export declare function openai(tools: Toolset, { strict }?: StrictOption): OpenAITools;

export declare function openaiChat(tools: Toolset, { strict }?: StrictOption): OpenAIChatTools;

// Not exported, but exports are made of it.

export interface ChatToolMessage {
    content: string;
    role: "tool";
    tool_call_id: string;
}

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
