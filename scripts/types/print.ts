// Writes the type that a schema infers as plain TypeScript: its fields with their docs, and other records by their
// names.
import ts from "typescript";

const PRIMITIVE =
  ts.TypeFlags.StringLike |
  ts.TypeFlags.NumberLike |
  ts.TypeFlags.BooleanLike |
  ts.TypeFlags.Null |
  ts.TypeFlags.Undefined |
  ts.TypeFlags.Unknown |
  ts.TypeFlags.Never;

/**
 * Joins fields with an index signature that doesn't allow them: optional fields next to keys that are never undefined.
 * An object type with both doesn't compile.
 */
export const FIELDS = "Fields";
export const DECLARE_FIELDS = `type ${FIELDS}<Parts> = { [Key in keyof Parts]: Parts[Key] };`;

export interface Printer {
  /** The type that a schema infers, read from the schema's own type. `path` names it in errors. */
  schema(type: ts.Type, path: string): string;
  /** A type that isn't a schema's. */
  plain(type: ts.Type, path: string): string;
  /** The fields of an object type, even if the type has a name. */
  bag(type: ts.Type, path: string): string;
}

type Write = (type: ts.Type, path: string) => string;

/**
 * @param checker of the program that contains the schemas
 * @param nameOf the name of a schema's type, or of another type, if it has one
 */
export function createPrinter(checker: ts.TypeChecker, nameOf: (type: ts.Type) => string | undefined): Printer {
  // Read from the schema, because the inferred type no longer knows the names that it was made of.
  const schema: Write = (type, path) => nameOf(type) ?? unnamed(type, path);

  function unnamed(type: ts.Type, path: string): string {
    const kind = symbolOf(type)?.name;
    const part = (index: number) =>
      argumentsOf(type, checker)[index] ?? fail(path, `${kind} without type argument ${index}`);
    switch (kind) {
      case "ZodMiniObject": {
        const inferred = output(type, path);
        return object(fields(part(0), inferred, schema, path), inferred, path);
      }
      case "ZodMiniArray":
        return list(schema(part(0), path));
      case "ReadonlyList":
        return `readonly ${list(schema(part(0), path))}`;
      case "ZodMiniOptional":
        return union([schema(part(0), path), "undefined"]);
      case "ZodMiniNullable":
        return union([schema(part(0), path), "null"]);
      case "ZodMiniUnion":
      case "ZodMiniDiscriminatedUnion":
        return union(argumentsOf(part(0), checker).map((option) => schema(option, path)));
      case "ZodMiniIntersection":
        return [part(0), part(1)].map((side) => grouped(schema(side, path))).join(" & ");
      case "ZodMiniRecord":
        return `Record<${primitive(output(part(0), path), path)}, ${schema(part(1), path)}>`;
      // Their types only say what they infer, not how they were made.
      case "OpenEnum":
      case "ZodMiniCustom":
      case "ZodMiniType":
        return plain(output(type, path), path);
      default: {
        const inferred = output(type, path);
        return isPrimitive(inferred) ? primitive(inferred, path) : fail(path, kind ?? checker.typeToString(type));
      }
    }
  }

  function plain(type: ts.Type, path: string): string {
    const name = nameOf(type);
    if (name !== undefined) return name;
    if (isPrimitive(type)) return primitive(type, path);
    if (type.isUnion()) {
      const members = type.types.filter(isPrimitive).map((member) => primitive(member, path));
      // Next to other members, the checker lists a boolean as its two values.
      const isBoolean = members.includes("true") && members.includes("false");
      const merged = isBoolean
        ? ["boolean", ...members.filter((member) => member !== "true" && member !== "false")]
        : members;
      const others = type.types.filter((member) => !isPrimitive(member));
      return union([...others.map((member) => plain(member, path)), ...merged]);
    }
    if (type.isIntersection()) return type.types.map((member) => plain(member, path)).join(" & ");
    if (checker.isArrayType(type)) return list(plain(argumentsOf(type, checker)[0] ?? type, path));
    // Global types only: no file imports those that a function names.
    if (type.getCallSignatures().length > 0)
      return `(${checker.typeToString(type, undefined, ts.TypeFormatFlags.NoTruncation)})`;
    return isBag(type) ? bag(type, path) : fail(path, checker.typeToString(type));
  }

  /** Whether a type has fields and nothing else. */
  function isBag(type: ts.Type): boolean {
    const isObject = (type.flags & ts.TypeFlags.Object) !== 0 && !checker.isTupleType(type) && !type.isClass();
    return isObject && type.getCallSignatures().length + type.getConstructSignatures().length === 0;
  }

  function bag(type: ts.Type, path: string): string {
    return object(fields(type, type, plain, path), type, path);
  }

  /** The fields that `source` lists, each written with `write`. `inferred` says which are optional. */
  function fields(source: ts.Type, inferred: ts.Type, write: Write, path: string): string[] {
    return ownFirst(source).map((property) => {
      const known = checker.getPropertyOfType(inferred, property.name);
      const isOptional = known !== undefined && (known.flags & ts.SymbolFlags.Optional) !== 0;
      const key = /^[A-Za-z_$][\w$]*$/.test(property.name) ? property.name : JSON.stringify(property.name);
      const text = write(checker.getTypeOfSymbol(property), `${path}.${property.name}`);
      return `${docOf(property.declarations?.[0])}${key}${isOptional ? "?" : ""}: ${text};`;
    });
  }

  function object(members: readonly string[], inferred: ts.Type, path: string): string {
    const indexes = checker.getIndexInfosOfType(inferred);
    const others = indexes.map(({ keyType, type }) => `[key: ${primitive(keyType, path)}]: ${plain(type, path)};`);
    const isDisallowed = (property: ts.Symbol) =>
      indexes.some(({ type }) => !checker.isTypeAssignableTo(checker.getTypeOfSymbol(property), type));
    return inferred.getProperties().some(isDisallowed)
      ? `${FIELDS}<${block(members)} & ${block(others)}>`
      : block([...members, ...others]);
  }

  /** The type that a schema infers: zod keeps it in `_zod.output`. */
  function output(type: ts.Type, path: string): ts.Type {
    const member = (owner: ts.Type, name: string) => {
      const property = checker.getPropertyOfType(owner, name) ?? fail(path, checker.typeToString(type));
      return checker.getTypeOfSymbol(property);
    };
    return member(member(type, "_zod"), "output");
  }

  function primitive(type: ts.Type, path: string): string {
    if (!isPrimitive(type)) return fail(path, checker.typeToString(type));
    return checker.typeToString(type, undefined, ts.TypeFormatFlags.NoTruncation);
  }

  return { schema: unnamed, plain, bag };
}

function fail(path: string, what: string): never {
  throw new Error(
    `${path}: no plain type is known for ${what}. Use a schema that scripts/types/print.ts knows, or add this one to it.`,
  );
}

/** The symbol of a type. The compiler declares it always there, but a primitive has none. */
export function symbolOf(type: ts.Type): ts.Symbol | undefined {
  return type.symbol;
}

/** The type arguments of a reference to a generic type; none for other types. */
export function argumentsOf(type: ts.Type, checker: ts.TypeChecker): readonly ts.Type[] {
  return isReference(type) ? checker.getTypeArguments(type) : [];
}

function isReference(type: ts.Type): type is ts.TypeReference {
  return "objectFlags" in type && (Number(type.objectFlags) & ts.ObjectFlags.Reference) !== 0;
}

/** The fields that a shape declares itself, in its order, before those that it takes over from another one. */
function ownFirst(type: ts.Type): ts.Symbol[] {
  const literal = symbolOf(type)?.declarations?.[0];
  const position = ({ declarations }: ts.Symbol) => {
    const declaration = declarations?.[0];
    return declaration !== undefined && declaration.parent === literal ? declaration.pos : Number.POSITIVE_INFINITY;
  };
  // Two infinities differ by NaN: those stay in the order they have.
  return type.getProperties().toSorted((one, other) => position(one) - position(other) || 0);
}

/** The doc comment above a field or a declaration. */
export function docOf(declaration: ts.Node | undefined): string {
  const comment = declaration && ts.getJSDocCommentsAndTags(declaration).findLast(ts.isJSDoc);
  return comment ? `${comment.getText().replace(/\n\s*/g, "\n ")}\n` : "";
}

function isPrimitive(type: ts.Type): boolean {
  return type.isUnion() ? type.types.every(isPrimitive) : (type.flags & PRIMITIVE) !== 0;
}

function block(members: readonly string[]): string {
  return members.length > 0 ? `{\n${members.join("\n").replace(/^/gm, "  ")}\n}` : "{}";
}

function union(members: readonly string[]): string {
  return [...new Set(members)].join(" | ");
}

function list(text: string): string {
  return `${grouped(text)}[]`;
}

/** In parentheses, if its operator could be separated from its operands. */
function grouped(text: string): string {
  const [statement] = ts.createSourceFile("", `type T = ${text}`, ts.ScriptTarget.Latest).statements;
  const type = statement && ts.isTypeAliasDeclaration(statement) ? statement.type : undefined;
  const isLoose = type && (ts.isUnionTypeNode(type) || ts.isIntersectionTypeNode(type) || ts.isTypeOperatorNode(type));
  return isLoose ? `(${text})` : text;
}
