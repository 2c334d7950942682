// What svc-sdk/agents/anthropic exports. Written by npm run docs:api; what changes here changes for users.

export {
    DeferOption,
    NoHostedTool,
    ProgrammaticOption,
} from "svc-sdk/agents/openai";

export interface AnthropicDefinition {
    allowed_callers?: ("direct" | "code_execution_20260120")[];
    defer_loading?: boolean;
    description: string;
    eager_input_streaming?: boolean;
    input_schema: {
        type: "object";
        [keyword: string]: unknown;
    };
    name: string;
    strict?: boolean;
}

export type AnthropicHostedTool = AnthropicSearchDefinition | CodeExecutionDefinition;

export interface AnthropicOptions extends StrictOption, EagerOption, DeferOption, ProgrammaticOption {
}

export interface AnthropicSearchDefinition {
    name: "tool_search_tool_bm25";
    type: "tool_search_tool_bm25_20251119";
}

export interface AnthropicTools<Search = never> {
    readonly definitions: (AnthropicDefinition | Search)[];
    resume<Message extends object>(ticket: TurnTicket<Message>, options?: ResumeOptions): Promise<AnthropicTurn<PartOf<Message, "content">> & Resumed<Message>>;
    run<Block extends object>(message: {
        readonly content: readonly Block[];
        readonly stop_reason: string | null;
        readonly id?: string;
        readonly container?: object | null;
    }, options?: RunOptions): Promise<AnthropicTurn<Block>>;
    run<Event extends object>(stream: AsyncIterable<Event>, options?: StreamOptions<Event>): Promise<AnthropicTurn<StreamedBlock<Event>>>;
}

export interface AnthropicTurn<Block> extends TurnFacts<Block> {
    readonly container: string | null;
    readonly hasCalls: boolean;
    readonly messages: ({
        role: "assistant";
        content: Block[];
    } | {
        role: "user";
        content: ToolResultBlock[];
    })[];
}

export interface CodeExecutionDefinition {
    name: "code_execution";
    type: "code_execution_20260120";
}

export interface EagerOption {
    readonly eagerInputStreaming?: boolean | ((tool: AgentTool) => boolean) | undefined;
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

export declare function anthropic(tools: Toolset, options?: StrictOption & EagerOption & NoHostedTool): AnthropicTools;

export declare function anthropic(tools: Toolset, options?: AnthropicOptions): AnthropicTools<AnthropicHostedTool>;
