// What svc-sdk/agents/anthropic exports. Written by npm run docs:api; what changes here changes for users.

export {
    DeferOption,
} from "svc-sdk/agents/openai";

export interface AnthropicDefinition {
    defer_loading?: boolean;
    description: string;
    input_schema: {
        type: "object";
        [keyword: string]: unknown;
    };
    name: string;
    strict?: boolean;
}

export interface AnthropicOptions extends StrictOption, Required<DeferOption> {
}

export interface AnthropicSearchDefinition {
    name: "tool_search_tool_bm25";
    type: "tool_search_tool_bm25_20251119";
}

export interface AnthropicTools<Search = never> {
    readonly definitions: (AnthropicDefinition | Search)[];
    run<Block extends object>(message: {
        readonly content: readonly Block[];
        readonly stop_reason: string | null;
        readonly id?: string;
    }, options?: RunOptions): Promise<AnthropicTurn<Block>>;
    run<Event extends object>(stream: AsyncIterable<Event>, options?: StreamOptions<Event>): Promise<AnthropicTurn<StreamedBlock<Event>>>;
}

export interface AnthropicTurn<Block> {
    readonly hasCalls: boolean;
    readonly messages: ({
        role: "assistant";
        content: Block[];
    } | {
        role: "user";
        content: ToolResultBlock[];
    })[];
    readonly results: CallResult[];
}

export type StreamedBlock<Event> = Event extends {
    readonly type: "content_block_start";
    readonly content_block: infer Block;
} ? Block : never;

export interface ToolResultBlock {
    content: string;
    is_error?: boolean;
    tool_use_id: string;
    type: "tool_result";
}

export declare function anthropic(tools: Toolset, options: AnthropicOptions): AnthropicTools<AnthropicSearchDefinition>;

export declare function anthropic(tools: Toolset, options?: StrictOption): AnthropicTools;
