import { child, isObject, isString, type Json } from "../../shared/json.js";
import { canonical } from "../json-equal.js";
import { BY_NAME } from "../keywords.js";
import { isReference, listOf } from "../references.js";
import { partsOf } from "../schema-parts.js";
import { namesArgument, type Path, without, withoutEach } from "./argument.js";
import { acceptsAll, isValid, RemainderWriter, type WrittenPart } from "./remainder-writer.js";
import { isIdentity, SchemaCopier } from "./schema-copier.js";

/** A value that the program always sets. */
interface Constant {
  readonly value: unknown;
}

/** Keywords that apply to all members of an object, whatever their names. */
const ABOUT_ALL = ["minProperties", "maxProperties", "propertyNames", "const", "enum"];
/** Keywords with whole objects that aren't a rule. */
const EXAMPLES = ["default", "example", "examples"];

/**
 * A schema for the model, in which no part has an argument that the program always sets. What the schema says about the
 * other arguments stays: an object is valid exactly if it is valid with the argument in the given schema.
 *
 * Without a constant, the value isn't known. The result omits rules that depend on the value, so a call can be
 * rejected later.
 *
 * @returns `undefined` if the schema doesn't name the argument, `false` if it accepts no object with the argument.
 */
export function withoutArgument(root: Json, path: Path, constant?: Constant): Json | false | undefined {
  if (!namesArgument(root, path)) return undefined;
  // If no call is valid with the constant, the check of the whole arguments says so.
  return (constant && new BoundSchema(root, path, constant).written()) || new BoundSchema(root, path).written();
}

/** Writes a schema without one argument. */
class BoundSchema {
  readonly #root: Json;
  readonly #path: Path;
  readonly #constant: Constant | undefined;
  readonly #copy: SchemaCopier;
  /** The written form of each schema that is referred to, by how many names of the path lead to its object. */
  readonly #known = new Map<Json, Map<number, WrittenPart>>();

  constructor(root: Json, path: Path, constant?: Constant) {
    this.#root = root;
    this.#copy = new SchemaCopier(root);
    this.#path = path;
    this.#constant = constant;
  }

  /** The whole schema. */
  written(): Json | false {
    const { schema } = this.#part(this.#root, 0);
    return isObject(schema) && this.#copy.whole(schema);
  }

  /** A schema of an object that has the argument. */
  #part(source: unknown, at: number): WrittenPart {
    if (!isObject(source)) return { schema: source, isOpen: false };
    const writer = new RemainderWriter(this.#path, at);
    for (const [keyword, member] of Object.entries(source)) this.#keyword(writer, keyword, member, source);
    return writer.written();
  }

  #keyword(writer: RemainderWriter, keyword: string, member: unknown, source: Json): void {
    const part = (schema: unknown) => this.#part(schema, writer.at);
    switch (keyword) {
      case "allOf":
        for (const schema of listOf(member)) writer.add(part(schema));
        break;
      case "anyOf":
      case "oneOf":
        writer.union(keyword, listOf(member).map(part));
        break;
      case "if":
        writer.condition(part(member), part(source["then"] ?? true), part(source["else"] ?? true));
        break;
      // They are read with `if`.
      case "then":
      case "else":
        break;
      case "not":
        writer.not(part(member));
        break;
      default:
        this.#objectKeyword(writer, keyword, member);
    }
  }

  /** A keyword about an object's properties, or about whole objects. */
  #objectKeyword(writer: RemainderWriter, keyword: string, member: unknown): void {
    switch (keyword) {
      case "properties":
        this.#properties(writer, Object(member));
        break;
      case "required":
        if (!Array.isArray(member)) writer.keywords.set(keyword, member);
        writer.require(listOf(member));
        break;
      case "minProperties":
      case "maxProperties":
        writer.count(keyword, member);
        break;
      case "propertyNames":
        this.#names(writer, member);
        break;
      case "const":
      case "enum":
        this.#values(writer, keyword === "const" ? [member] : listOf(member));
        break;
      default:
        this.#otherKeyword(writer, keyword, member);
    }
  }

  #otherKeyword(writer: RemainderWriter, keyword: string, member: unknown): void {
    const { keywords, at } = writer;
    if (isReference(keyword)) {
      if (isString(member)) this.#refer(writer, member);
    } else if (BY_NAME.includes(keyword)) this.#dependents(writer, keyword, Object(member));
    else if (EXAMPLES.includes(keyword)) keywords.set(keyword, withoutEach(member, this.#path.slice(at)));
    else if (!isIdentity(keyword, member)) keywords.set(keyword, this.#copy.member(keyword, member));
  }

  #refer(writer: RemainderWriter, reference: string): void {
    const written = this.#reference(reference, writer.at);
    const found: unknown = child(written.schema, "$ref");
    if (found === undefined || writer.keywords.has("$ref")) writer.add(written);
    else writer.keywords.set("$ref", child(writer.include(written), "$ref"));
  }

  #properties(writer: RemainderWriter, properties: Json): void {
    const { keywords, name, isLast, at } = writer;
    const { [name]: declared, ...others } = properties;
    const copies = Object.entries(others).map(([key, member]) => [key, this.#copy.of(member)] as const);
    const shown = new Map<string, unknown>(copies);
    if (Object.hasOwn(properties, name) && isLast) {
      writer.decide(this.#fits(declared));
    } else if (Object.hasOwn(properties, name)) {
      const schema = writer.include(this.#part(declared, at + 1));
      writer.decide(schema !== false);
      const { nullable: _, ...object } = { ...Object(schema), type: "object" };
      shown.set(name, object);
      // The program creates the object if the model doesn't.
      if (isValid(this.#copy.whole(object), {}) !== true) writer.required.add(name);
    }
    keywords.set("properties", Object.fromEntries(shown));
  }

  #dependents(writer: RemainderWriter, keyword: string, dependents: Json): void {
    const { [writer.name]: own, ...others } = dependents;
    // The argument is always there, so what depends on it always applies.
    if (Array.isArray(own)) writer.require(own);
    else if (own !== undefined) writer.add(this.#part(own, writer.at));
    const entries = Object.entries(others).map(([key, needed]) => {
      if (Array.isArray(needed)) return [key, needed.filter((name) => name !== writer.name)] as const;
      return [key, writer.include(this.#part(needed, writer.at))] as const;
    });
    if (entries.length > 0) writer.keywords.set(keyword, Object.fromEntries(entries));
  }

  #names(writer: RemainderWriter, schema: unknown): void {
    const { keywords, name, isLast } = writer;
    if (isObject(schema)) writer.decide(isValid(new SchemaCopier(this.#root).alone(schema), name) ?? true);
    const others = isObject(schema) ? listOf(schema["enum"]).filter((value) => value !== name) : [];
    if (!isLast || !isObject(schema) || !("enum" in schema)) keywords.set("propertyNames", this.#copy.of(schema));
    // An empty list isn't allowed.
    else keywords.set("propertyNames", others.length > 0 && this.#copy.of({ ...schema, enum: others }));
  }

  /** Whole objects. */
  #values(writer: RemainderWriter, values: readonly unknown[]): void {
    const path = this.#path.slice(writer.at);
    const isPossible = (value: unknown) => {
      const own = path.reduce<unknown>(child, value);
      return own !== undefined && (!this.#constant || canonical(own) === canonical(this.#constant.value));
    };
    const possible = values.filter(isPossible).map((value) => without(value, path));
    writer.decide(possible.length === 0 ? false : this.#constant ? true : undefined);
    writer.keywords.set("enum", possible);
  }

  /** Whether the argument's value is valid; `undefined` if it isn't known. */
  #fits(declared: unknown): boolean | undefined {
    if (acceptsAll(declared)) return true;
    if (!this.#constant || !isObject(declared)) return declared === false ? false : undefined;
    return isValid(new SchemaCopier(this.#root).alone(declared), this.#constant.value);
  }

  #isAffected(schema: Json, at: number): boolean {
    const { resolve } = this.#copy;
    const isAboutAll = (part: Json) => ABOUT_ALL.some((keyword) => keyword in part);
    return (
      namesArgument(schema, this.#path.slice(at), resolve) || [...partsOf([schema], resolve, "not")].some(isAboutAll)
    );
  }

  /** The written form of a reference in a schema of an object that has the argument. */
  #reference(reference: string, at: number): WrittenPart {
    const target = this.#copy.resolve(reference);
    if (!isObject(target) || !this.#isAffected(target, at)) {
      return { schema: this.#copy.reference(reference), isOpen: false };
    }
    const known = this.#known.get(target) ?? new Map<number, WrittenPart>();
    this.#known.set(target, known);
    // Whether more is open isn't known while it is being written.
    let written = known.get(at);
    if (!written) {
      const name = this.#copy.newName(reference);
      const schema = { $ref: `#/$defs/${name}` };
      known.set(at, { schema, isOpen: true });
      const part = this.#part(target, at);
      this.#copy.define(name, part.schema);
      written = isObject(part.schema) ? { schema, isOpen: part.isOpen } : part;
      known.set(at, written);
    }
    return written;
  }
}
