import type { Json } from "../shared/json.js";
import { nodeOf } from "./graph.js";
import { namedFields, type SchemaNode, schemaOf } from "./node.js";
import { SchemaObject } from "./schema-object.js";
import { limited } from "./step-limit.js";

/** Maximum steps: a form of a larger schema shows no fields, and the value is written as JSON. */
const MOST_STEPS = 50_000;

/** Facts that a form shows, or checks while someone types. */
const FACTS = ["minimum", "maximum", "maxLength", "contentMediaType"];

/**
 * An object's schema as a form needs it: its properties, without references and combinations. A property that accepts
 * several types has none.
 */
export function formSchema(schema: unknown): Json {
  return limited(MOST_STEPS, () => formFields(nodeOf(schema))) ?? {};
}

function formFields(root: SchemaNode): Json {
  const fields = namedFields(root);
  return {
    properties: Object.fromEntries(fields.map(({ name, node }) => [name, propertyOf(node)])),
    required: fields.filter(({ isRequired }) => isRequired).map(({ name }) => name),
  };
}

function propertyOf(node: SchemaNode): Json {
  const leaves = node.leaves.filter(({ kinds }) => kinds.some((kind) => kind !== "null"));
  const [leaf, ...more] = leaves;
  const { description, examples } = { ...leaf?.annotations, ...node.annotations };
  const words = { description, examples, default: new SchemaObject(Object(schemaOf(node))).default };
  if (!leaf || more.length > 0) return words;
  const { kinds, values, facts } = leaf;
  return {
    ...words,
    type: kinds,
    ...(values && { enum: values.filter((value) => value !== null) }),
    ...Object.fromEntries(FACTS.map((keyword) => [keyword, facts[keyword]])),
  };
}
