import type { Json } from "../json.js";

export type Target =
  | "openai-strict"
  | "openai"
  | "anthropic-strict"
  | "anthropic"
  | "gemini-parameters"
  | "gemini"
  | "json-schema"
  | "portable";

export interface ToolToCompile {
  readonly name: string;
  readonly description?: string | undefined;
  readonly schema: unknown;
  readonly destructive?: boolean | undefined;
}

export interface CompiledTool {
  readonly name: string;
  readonly originalName: string;
  readonly description: string;
  readonly schema: Json;
  readonly strict: boolean;
  readonly fidelity: "exact" | "widened";
  readonly notes: readonly { readonly path: string; readonly kind: string; readonly message: string }[];
  restore(value: unknown): unknown;
}

export function compileTools(tools: readonly ToolToCompile[], _target: Target): CompiledTool[] {
  return tools.map(({ name, description = "", schema }) => ({
    name,
    originalName: name,
    description,
    schema: schema as Json,
    strict: false,
    fidelity: "exact",
    notes: [],
    restore: (value) => value,
  }));
}
