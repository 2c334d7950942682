// What svc-sdk/agents/google exports. Written by npm run docs:api; what changes here changes for users.

export {
    DeferOption,
} from "svc-sdk/agents/openai";

export interface FunctionDeclaration {
    description: string;
    name: string;
    parametersJsonSchema: Record<string, unknown>;
}

export interface FunctionResponsePart {
    functionResponse: {
        id?: string;
        name: string;
        response: {
            output: string;
        } | {
            error: string;
        };
    };
}

export interface GoogleResponse<Part> {
    readonly candidates?: {
        readonly index?: number;
        readonly content?: {
            readonly parts?: Part[];
        };
        readonly finishReason?: unknown;
    }[];
    readonly promptFeedback?: {
        readonly blockReason?: unknown;
    };
    readonly responseId?: string;
}

export interface GoogleTools {
    readonly callable: {
        tool(): Promise<{
            functionDeclarations: FunctionDeclaration[];
        }>;
        callTool(calls: readonly object[]): Promise<FunctionResponsePart[]>;
    };
    readonly definitions: {
        functionDeclarations: FunctionDeclaration[];
    }[];
    resume<Content extends object>(ticket: TurnTicket<Content>, options?: ResumeOptions): Promise<GoogleTurn<PartOf<Content, "parts">> & Resumed<Content>>;
    run<Part extends object>(response: GoogleResponse<Part>, options?: RunOptions): Promise<GoogleTurn<Part>>;
    run<Part extends object, Chunk extends GoogleResponse<Part>>(stream: AsyncIterable<Chunk & GoogleResponse<Part>>, options?: StreamOptions<Chunk>): Promise<GoogleTurn<Part>>;
}

export interface GoogleTurn<Part> extends TurnFacts<Part> {
    readonly contents: {
        role: string;
        parts: (Part | FunctionResponsePart)[];
    }[];
}

export declare function google(tools: Toolset, given?: DeferOption): GoogleTools;
