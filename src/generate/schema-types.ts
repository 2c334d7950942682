import { escapeHidden } from "../shared/hidden-text.js";
import { isObject, isText, type Json } from "../shared/json.js";
import { docComment, WIDTH } from "./docs.js";
import { prepareSchema } from "./prepare-schema.js";

/**
 * Turns a JSON Schema into TypeScript declarations: of `name`, and of the definitions it refers to.
 *
 * Accepts any value. What decides no type becomes `unknown`.
 */
export function schemaTypes(schema: unknown, name: string, isInput: boolean): string {
  const { definitions, ...root } = prepareSchema(schema, name, isInput);
  const parts = Object.entries(definitions);
  const names = new Map([["#", name]]);
  for (const [key, { title }] of parts) names.set(`#/definitions/${key}`, unused(String(title), [...names.values()]));
  const declarations = [["#", root] as const, ...parts.map(([key, part]) => [`#/definitions/${key}`, part] as const)];
  const blocks = declarations.map(([reference, part]) => {
    const type = new TypeWriter(names).type(part, 1);
    return `${docOf(part, 1)}  type ${names.get(reference)} =${spaced(type)};`;
  });
  // Comments have no invisible characters anymore. Names and values must keep theirs.
  return escapeHidden(blocks.join("\n"));
}

function unused(title: string, taken: readonly string[]): string {
  let name = title;
  for (let count = 1; taken.includes(name); count += 1) name = title + count;
  return name;
}

function docOf(schema: unknown, level: number): string {
  return isObject(schema) && isText(schema["description"]) ? docComment(schema["description"], level) : "";
}

/** A union with one member per line starts with a line break. */
function spaced(type: string): string {
  return type.startsWith("\n") ? type : ` ${type}`;
}

/** Writes the types of prepared schemas. */
class TypeWriter {
  readonly #names: ReadonlyMap<string, string>;

  constructor(names: ReadonlyMap<string, string>) {
    this.#names = names;
  }

  type(schema: unknown, level: number): string {
    if (schema === false) return "never";
    if (!isObject(schema)) return "unknown";
    const { tsType, $ref, allOf, anyOf, enum: values, type } = schema;
    if (isText(tsType)) return tsType;
    if (isText($ref)) return this.#names.get($ref) ?? "unknown";
    if (Array.isArray(allOf)) return this.#intersection(allOf, level);
    if (Array.isArray(anyOf))
      return union(
        anyOf.map((member) => this.type(member, level)),
        level,
      );
    if (Array.isArray(values)) return union(values.map(literal), level);
    if ("const" in schema) return literal(schema["const"]);
    if (Array.isArray(type)) return union(type.map(plain), level);
    if (type === "object") return this.#object(schema, level);
    return type === "array" ? this.#list(schema, level) : plain(type);
  }

  #intersection(members: readonly unknown[], level: number): string {
    const types = new Set(members.map((member) => this.type(member, level)).filter((type) => type !== "unknown"));
    if (types.size === 0) return "unknown";
    return types.size === 1 ? [...types].join() : [...types].map(grouped).join(" & ");
  }

  #object({ properties, required, additionalProperties: index }: Json, level: number): string {
    const pad = "  ".repeat(level + 1);
    const named: readonly unknown[] = Array.isArray(required) ? required : [];
    const types = new Map(
      Object.entries(isObject(properties) ? properties : {}).map(([name, schema]) => [
        name,
        { doc: docOf(schema, level + 1), type: this.type(schema, level + 1) },
      ]),
    );
    const fields = [...types].map(
      ([name, { doc, type }]) => `${doc}${pad}${key(name)}${named.includes(name) ? "" : "?"}:${spaced(type)};`,
    );
    if (index !== undefined && index !== false) {
      // The named ones must match it too.
      const others = [...types].flatMap(([name, { type }]) => (named.includes(name) ? [type] : [type, "undefined"]));
      const type = index === true ? "unknown" : union([this.type(index, level + 1), ...others], level + 1);
      fields.push(`${docOf(index, level + 1)}${pad}[k: string]:${spaced(type)};`);
    }
    return fields.length === 0 ? "Record<string, never>" : `{\n${fields.join("\n")}\n${"  ".repeat(level)}}`;
  }

  #list({ items, additionalItems, minItems }: Json, level: number): string {
    if (!Array.isArray(items)) return `${grouped(this.type(items, level))}[]`;
    const members = items.map((item) => this.type(item, level));
    const rest = additionalItems === false ? [] : [`...${grouped(this.type(additionalItems, level))}[]`];
    const least = typeof minItems === "number" ? minItems : 0;
    const lengths = Array.from({ length: members.length - least + 1 }, (_, index) => least + index);
    return union(
      lengths.map((length) => {
        const isWhole = length === members.length;
        return `[${[...members.slice(0, length), ...(isWhole ? rest : [])].join(", ")}]`;
      }),
      level,
    );
  }
}

/** Writes one member per line if one line would be too long. */
function union(members: readonly string[], level: number): string {
  const unique = new Set(
    members.flatMap((member) => (member.startsWith("\n") ? member.split(/\n +\| /).slice(1) : [member])),
  );
  if (unique.has("unknown") || unique.size === 0) return "unknown";
  const line = [...unique].join(" | ");
  if (unique.size === 1 || line.includes("\n") || line.length + 2 * level < WIDTH - 20) return line;
  return [...unique].map((member) => `\n${"  ".repeat(level + 1)}| ${member}`).join("");
}

/** Adds parentheses to unions and intersections. */
function grouped(type: string): string {
  return /[|&]/.test(type.replace(/\{[\s\S]*\}|"(?:[^"\\]|\\.)*"/g, "")) ? `(${type})` : type;
}

function literal(value: unknown): string {
  return JSON.stringify(value);
}

function plain(type: unknown): string {
  if (type === "integer") return "number";
  return ["string", "number", "boolean", "null"].includes(String(type)) ? String(type) : "unknown";
}

function key(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
}
