import type { Json } from "../shared/json.js";
import { modernized } from "./drafts.js";
import { ALL_ANNOTATIONS, FACTS } from "./keywords.js";

/** Groups of keywords, as bits: what most schemas don't say needs no work. */
export const TRAITS = {
  /** References, and keywords that combine schemas. */
  combination: 1,
  values: 2,
  object: 4,
  array: 8,
  /** Bounds, patterns and the like. */
  fact: 16,
  annotation: 32,
  /** Schemas under a condition, which may declare properties. */
  condition: 64,
  /** Other constraints. */
  other: 128,
};

const KEYWORDS_WITH: readonly (readonly [trait: number, keywords: string])[] = [
  [TRAITS.combination, "$ref not allOf anyOf oneOf"],
  [TRAITS.values, "enum const"],
  [TRAITS.object, "properties required additionalProperties patternProperties unevaluatedProperties"],
  [TRAITS.array, "items prefixItems"],
  [TRAITS.fact, FACTS.join(" ")],
  [TRAITS.annotation, ALL_ANNOTATIONS.join(" ")],
  [TRAITS.condition, "then else dependentSchemas"],
  [
    TRAITS.other,
    "not if contains patternProperties propertyNames dependentRequired dependentSchemas unevaluatedItems unevaluatedProperties",
  ],
];

const TRAITS_OF: ReadonlyMap<string, number> = new Map(
  KEYWORDS_WITH.flatMap(([, keywords]) => keywords.split(" ")).map((keyword) => [
    keyword,
    KEYWORDS_WITH.filter(([, keywords]) => keywords.split(" ").includes(keyword)).reduce(
      (all, [trait]) => all | trait,
      0,
    ),
  ]),
);

/** A schema object as draft 2020-12 writes it, with its groups of keywords. */
export interface ModernSchema {
  readonly keywords: Json;
  readonly traits: number;
}

/** A schema object as draft 2020-12 writes it, like {@link modernized}. */
export function modernOf(schema: Json): ModernSchema {
  const keywords = modernized(schema) ?? {};
  let traits = 0;
  for (const keyword of Object.keys(keywords)) traits |= TRAITS_OF.get(keyword) ?? 0;
  return { keywords, traits };
}
