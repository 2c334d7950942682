import { ANY, type Field, SchemaNode, schemaOf, unionOf } from "../../json-schema/node.js";
import { spend } from "../../json-schema/step-limit.js";
import type { Json } from "../../shared/json.js";
import type { Aliases } from "./aliases.js";
import { copyOf, restOf } from "./copy.js";
import { NAME_RULES } from "./copy-passes.js";
import { descriptionText } from "./description-text.js";
import { withWords } from "./unions.js";
import { memberPath, valuePath, type WritingState } from "./writing-state.js";

/**
 * The arguments as one object, for targets that reject combinators at the root. Differences between alternatives become
 * words.
 */
export function mergedRoot(root: SchemaNode, aliases: Aliases): SchemaNode {
  const { leaves } = root;
  const [only] = leaves;
  if (only && leaves.length === 1) {
    const annotations = { ...only.annotations, ...root.annotations };
    return SchemaNode.of({ ...only.content, annotations });
  }
  const names = new Set(leaves.flatMap(({ fields }) => [...fields.keys()]));
  spend(names.size * leaves.length);
  const rest = mergedRest(leaves);
  return SchemaNode.of({
    kinds: ["object"],
    isDeclared: true,
    fields: new Map([...names].map((name) => [name, mergedField(name, leaves)])),
    rest,
    others:
      leaves.length > 0 ? [{ anyOf: `one of ${leaves.map((leaf) => alternative(leaf, aliases)).join(" or ")}` }] : [],
    annotations: root.annotations,
    openings: leaves.length > 0 ? root.openings : ["no object is accepted"],
    sources: root.sources,
  });
}

/** Whether an alternative doesn't describe its properties. */
const isFree = ({ rest, fields, isDeclared }: SchemaNode) => rest === undefined && fields.size === 0 && !isDeclared;

/** Other properties: what one alternative takes, all of them together take. */
function mergedRest(leaves: readonly SchemaNode[]): SchemaNode["rest"] {
  const rests = new Set(leaves.map((leaf) => (isFree(leaf) ? ANY : leaf.rest)));
  const [only] = rests;
  if (rests.size < 2) return only;
  const nodes = [...rests].filter((rest) => rest !== undefined && rest !== false);
  const [node] = nodes;
  if (!node) return undefined;
  return unionOf(rests.has(undefined) && !rests.has(ANY) ? [...nodes, ANY] : nodes);
}

function mergedField(name: string, leaves: readonly SchemaNode[]): Field {
  const fields = leaves.flatMap((leaf) => leaf.fields.get(name) ?? []);
  // Not `isFree`: an alternative with an empty `properties` takes any value of this one, too.
  const others = leaves.flatMap((leaf) =>
    leaf.fields.has(name) ? [] : (leaf.rest ?? (leaf.fields.size === 0 ? ANY : [])) || [],
  );
  return {
    node: unionOf([...new Set([...fields.map(({ node }) => node), ...others])]),
    isRequired: fields.length === leaves.length && fields.every(({ isRequired }) => isRequired),
  };
}

/** An alternative in words: `{kind: "file", path, mode?}`. */
function alternative({ fields, annotations, facts, others }: SchemaNode, { aliasOf }: Aliases): string {
  const members = [...fields].map(([name, { node, isRequired }]) => {
    const [leaf, ...more] = node.leaves;
    const values = leaf && more.length === 0 && leaf.values?.length === 1 ? `: ${JSON.stringify(leaf.values[0])}` : "";
    return `${aliasOf(name)}${isRequired ? "" : "?"}${values}`;
  });
  const limits = [facts, ...others].filter((limit) => Object.keys(limit).length > 0);
  const words = [annotations["description"] ?? annotations["title"], ...limits.map((limit) => JSON.stringify(limit))];
  return [`{${members.join(", ")}}`, ...words.filter((word) => word !== undefined)].join(" ");
}

/** Keywords that OpenAI or Anthropic reject at the root, and those that are already there. */
const REJECTED = "anyOf oneOf allOf enum not const properties additionalProperties unevaluatedProperties".split(" ");

function isWritableAtRoot(constraint: Json, index: number, constraints: readonly Json[]): boolean {
  const isAllowed = (keyword: string) =>
    !REJECTED.includes(keyword) && !constraints.slice(0, index).some((earlier) => Object.hasOwn(earlier, keyword));
  return Object.keys(constraint).every(isAllowed);
}

/** The root for targets that accept all of JSON Schema except combinators at the root. */
export function wholeRoot(writing: WritingState, root: SchemaNode): Json {
  const { aliases } = writing;
  const required = [...root.fields].filter(([, { isRequired }]) => isRequired).map(([name]) => aliases.aliasOf(name));
  const properties = [...root.fields].map(([name, { node }]) => {
    const path = memberPath("", name);
    return [writing.aliasAt(path, name), copyOf(schemaOf(node), writing, path)];
  });
  const isKept = (other: Json) => !(aliases.areUsed && NAME_RULES.some((keyword) => keyword in other));
  const kept = root.others.filter(isWritableAtRoot).filter(isKept);
  const constraints = [
    ...root.others.filter((other) => !kept.includes(other)),
    ...(root.values ? [{ enum: root.values }] : []),
  ];
  const words = descriptionText(root.annotations, constraints, writing, "");
  for (const reason of root.openings) writing.untyped("", reason);
  const facts = Object.entries(root.facts).filter(([keyword]) => keyword.endsWith("Properties"));
  const schema = {
    type: "object",
    properties: Object.fromEntries(properties),
    ...(required.length > 0 && { required }),
    ...(root.rest !== undefined && {
      additionalProperties: root.rest && restOf(copyOf(schemaOf(root.rest), writing, valuePath(""))),
    }),
    ...Object.fromEntries(facts),
    ...Object.fromEntries(kept.flatMap((other) => Object.entries(Object(copyOf(other, writing, ""))))),
  };
  return withWords(schema, words, writing.dialect);
}
