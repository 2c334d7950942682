// What svc-sdk/agents/schema exports. Written by npm run docs:api; what changes here changes for users.

export {
    CompiledForm,
    Note,
    NoteKind,
    Target,
} from "svc-sdk/agents";

export interface CompileInput {
    readonly description?: string | undefined;
    readonly destructive?: boolean | undefined;
    readonly name: string;
    readonly schema: unknown;
    readonly strict?: boolean | undefined;
}

export interface CompiledSchema extends CompiledForm {
    decode(args: unknown): unknown;
}

export interface CompiledTool extends CompiledSchema {
    readonly description: string;
    readonly name: string;
    readonly originalName: string;
}

export interface CompiledToolset {
    readonly run: RunCalls;
    readonly tools: readonly CompiledTool[];
}

export interface ToolReport {
    readonly bytes: number;
    readonly estimatedTokens: number;
    readonly fidelity: CompiledTool["fidelity"];
    readonly name: string;
    readonly notes: CompiledTool["notes"];
    readonly strict: boolean;
    readonly tool: string;
}

export declare function compileSchema(schema: unknown, target: Target): CompiledSchema;

export declare function compileTools(tools: readonly CompileInput[], target: Target): readonly CompiledTool[];

export declare function compileToolset(toolset: Toolset, target: Target, strict?: (tool: AgentTool) => boolean | undefined): CompiledToolset;

export declare function reportTools(toolset: Toolset, target?: Target, strict?: (tool: AgentTool) => boolean | undefined): ToolReport[];
