import { isObject, type Json } from "../../shared/json.js";
import { Impossible, listOf, type Making, type Shape } from "./sample-shape.js";

/** An object with the properties a shape requires and, unless it should be small, those it describes. */
export function propertiesOf(described: Shape, maker: Making, depth: number): Json {
  const first = namesOf(described, maker, depth);
  const dependent = dependentSchemas(described, first);
  const shape =
    dependent.length === 0 ? described : maker.shape({ allOf: [withoutLists(described), ...dependent] }, depth);
  const names = dependent.length === 0 ? first : [...new Set([...first, ...namesOf(shape, maker, depth)])];
  const result: Record<string, unknown> = {};
  const required = listOf(shape["required"]);
  for (const name of withDependencies(names, shape)) {
    try {
      setOwn(result, name, maker.value(schemaFor(shape, name, maker), name, depth + 1));
    } catch (error) {
      // An object may come without a property that can't have a value.
      if (!(error instanceof Impossible) || required.includes(name)) throw error;
    }
  }
  addMissing(result, shape, maker, depth);
  return result;
}

function namesOf(shape: Shape, maker: Making, depth: number): string[] {
  const required = listOf(shape["required"]).map(String);
  const described = Object.entries<unknown>(Object(shape["properties"])).filter(([, schema]) => schema !== false);
  const most = typeof shape["maxProperties"] === "number" ? shape["maxProperties"] : Number.POSITIVE_INFINITY;
  const optional = maker.isSmall(depth)
    ? []
    : described.map(([name]) => name).filter((name) => isAllowed(shape, name, maker));
  return [...new Set([...required, ...optional])].slice(0, Math.max(most, required.length));
}

/** Whether each schema that allows no other properties has this one. */
function isAllowed({ closedBy }: Shape, name: string, maker: Making): boolean {
  return closedBy.every(
    (schema) =>
      Object.hasOwn(Object(schema["properties"]), name) ||
      Object.keys(Object(schema["patternProperties"])).some((pattern) => maker.matches(pattern, name)),
  );
}

/** The schema of the property of a name. */
function schemaFor(shape: Shape, name: string, maker: Making): unknown {
  const properties: unknown = shape["properties"];
  const own: unknown[] = isObject(properties) && Object.hasOwn(properties, name) ? [properties[name]] : [];
  const patterns = Object.entries<unknown>(Object(shape["patternProperties"]));
  const all = [...own, ...patterns.flatMap(([pattern, schema]) => (maker.matches(pattern, name) ? [schema] : []))];
  if (all.length > 0) return all.length === 1 ? all[0] : { allOf: all };
  return shape["additionalProperties"] ?? shape["unevaluatedProperties"] ?? true;
}

/** Adds properties until there are enough, and shows one of those that a map may have. */
function addMissing(result: Record<string, unknown>, shape: Shape, maker: Making, depth: number): void {
  const { minProperties, maxProperties } = shape;
  const isMap = isObject(shape["additionalProperties"]) || isObject(shape["patternProperties"]);
  const usual = isMap && !maker.isSmall(depth) && Object.keys(result).length === 0 ? 1 : 0;
  const wanted = Math.min(
    Math.max(typeof minProperties === "number" ? minProperties : 0, usual),
    typeof maxProperties === "number" ? maxProperties : Number.POSITIVE_INFINITY,
  );
  const optional = Object.keys(Object(shape["properties"])).filter((name) => isAllowed(shape, name, maker));
  const unused = optional.filter((candidate) => !Object.hasOwn(result, candidate));
  let count = Object.keys(result).length;
  for (let tries = 0; count < wanted && tries < wanted * 10 + 20; tries += 1) {
    const name = unused.shift() ?? newName(shape, maker, depth, tries);
    const schema = schemaFor(shape, name, maker);
    if (schema === false || Object.hasOwn(result, name)) continue;
    setOwn(result, name, maker.value(schema, name, depth + 1));
    count += 1;
  }
}

function newName(shape: Shape, maker: Making, depth: number, tries: number): string {
  const pattern = maker.pick(Object.keys(Object(shape["patternProperties"])));
  const names = shape["propertyNames"];
  if (pattern === undefined && names === undefined) return `sample_${tries + 1}`;
  const schemas = [
    { type: "string" },
    ...(pattern === undefined ? [] : [{ pattern }]),
    ...(names === undefined ? [] : [names]),
  ];
  const name = maker.value({ allOf: schemas }, "", depth + 1);
  if (typeof name !== "string") throw new Impossible("a property's name must be a string");
  return name;
}

/** The schemas that the presence of properties brings. */
function dependentSchemas(shape: Shape, names: readonly string[]): unknown[] {
  const conditions = { ...Object(shape["dependencies"]), ...Object(shape["dependentSchemas"]) };
  return Object.entries<unknown>(conditions).flatMap(([name, schema]) =>
    names.includes(name) && !Array.isArray(schema) ? [schema] : [],
  );
}

/** The names with those that they require. */
function withDependencies(names: readonly string[], shape: Shape): ReadonlySet<string> {
  const conditions = { ...Object(shape["dependencies"]), ...Object(shape["dependentRequired"]) };
  const all = new Set(names);
  // A set is iterated to its end, even if that moves.
  for (const name of all) {
    if (!Object.hasOwn(conditions, name)) continue;
    for (const other of listOf(conditions[name])) all.add(String(other));
  }
  return all;
}

/** A shape as a schema again. */
function withoutLists({ closedBy, patterns, ...schema }: Shape): Json {
  return { ...schema, allOf: [...closedBy.map(onlyClosed), ...patterns.map((pattern) => ({ pattern }))] };
}

function onlyClosed({ properties, patternProperties }: Json): Json {
  return {
    additionalProperties: false,
    ...(properties !== undefined && { properties }),
    ...(patternProperties !== undefined && { patternProperties }),
  };
}

/** An assignment to the name `__proto__` would change the prototype. */
function setOwn(target: object, name: string, value: unknown): void {
  Object.defineProperty(target, name, { value, enumerable: true, writable: true, configurable: true });
}
