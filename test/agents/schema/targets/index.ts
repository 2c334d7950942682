import type { CompiledSchema, Target } from "../../../../src/agents/schema/types.js";

export const TARGETS: readonly Target[] = ["openai-strict","openai","anthropic-strict","anthropic","gemini-parameters","gemini","json-schema","portable"];
export function offencesOf(_compiled: CompiledSchema, _target: Target): string[] { return []; }
