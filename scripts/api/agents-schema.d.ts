// What svc-sdk/agents/schema exports. Written by npm run docs:api; what changes here changes for users.

export interface CompileInput {
    readonly description?: string | undefined;
    readonly destructive?: boolean | undefined;
    readonly name: string;
    readonly schema: unknown;
    readonly strict?: boolean | undefined;
}

export interface CompiledSchema {
    decode(args: unknown): unknown;
    readonly fidelity: "exact" | "widened";
    readonly notes: readonly Note[];
    readonly schema: Json;
    readonly strict: boolean;
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

export interface Note {
    readonly kind: NoteKind;
    readonly message: string;
    readonly path: string;
}

export type NoteKind = "described" | "untyped" | "annotated" | "reshaped" | "renamed" | "not-strict";

export type Target = "openai-strict" | "openai" | "anthropic-strict" | "anthropic" | "gemini" | "json-schema" | "portable";

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

export declare function reportTools(toolset: Toolset, target?: Target, strict?: (tool: AgentTool) => boolean): ToolReport[];

// Not exported, but exports are made of it.

export type Json = Readonly<Record<string, unknown>>;
