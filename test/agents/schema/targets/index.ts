import type { CompiledSchema, Target } from "../../../../src/agents/schema/compiled-tool.js";
import type { Json } from "../../../../src/shared/json.js";
import { draft2020, plainAnthropic, strictAnthropic } from "./anthropic.js";
import { geminiJsonSchema, geminiParameters, portable } from "./gemini.js";
import { plainOpenAi, strictOpenAi } from "./openai.js";
import { danglingReferences } from "./walk.js";

/** Each target's rules, written from the providers' documentation and apart from the compiler's tables. */
const RULES: Readonly<Record<Target, (schema: Json) => string[]>> = {
  "openai-strict": strictOpenAi,
  openai: (schema) => [...plainOpenAi(schema), ...draft2020(schema)],
  "anthropic-strict": strictAnthropic,
  anthropic: plainAnthropic,
  gemini: geminiJsonSchema,
  "json-schema": (schema) => [
    ...(schema["type"] === "object" ? [] : ["the root is no object"]),
    ...danglingReferences(schema),
    ...draft2020(schema),
  ],
  portable: (schema) => [...portable(schema), ...plainOpenAi(schema), ...plainAnthropic(schema)],
};

export const TARGETS = Object.keys(RULES) as readonly Target[];

/** The parts that the target would reject. A schema that isn't strict is sent as a plain one. */
export function offencesOf(
  { schema, strict }: Pick<CompiledSchema, "schema" | "strict">,
  target: Target | "gemini-parameters",
): string[] {
  // An older form of Gemini's, which other libraries write.
  if (target === "gemini-parameters") return geminiParameters(schema);
  const isStrictTarget = target === "openai-strict" || target === "anthropic-strict";
  // The names of the plain targets are those of the strict ones without their ending.
  const sent = isStrictTarget && !strict ? (target.replace("-strict", "") as Target) : target;
  return RULES[sent](schema);
}
