// Writes the type that a schema infers as plain TypeScript: its fields with their docs, other records by their names.
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
 * Joins fields and an index signature that does not admit them: optional fields beside keys that are never undefined. A plain
 * object type with both does not compile.
 */
export const FIELDS = "Fields";
export const DECLARE_FIELDS = `type ${FIELDS}<Parts> = { [Key in keyof Parts]: Parts[Key] };`;

/**
 * @param checker of the program that holds the schemas
 * @param nameOf the name by which a schema or a type is written, where it has one
 */
export function createPrinter(checker, nameOf) {
  /** What a schema gives, read from the schema: an inferred type no longer knows the names it was made of. */
  function schema(type, path) {
    return nameOf(type) ?? unnamed(type, path);
  }

  function unnamed(type, path) {
    const [first, second] = type.objectFlags & ts.ObjectFlags.Reference ? checker.getTypeArguments(type) : [];
    const kind = type.symbol?.name;
    switch (kind) {
      case "ZodMiniObject": {
        const given = output(type, path);
        return object(fields(first, given, schema, path), given, path);
      }
      case "ZodMiniArray":
        return list(schema(first, path));
      case "ZodMiniOptional":
        return union([schema(first, path), "undefined"]);
      case "ZodMiniNullable":
        return union([schema(first, path), "null"]);
      case "ZodMiniUnion":
      case "ZodMiniDiscriminatedUnion":
        return union(checker.getTypeArguments(first).map((option) => schema(option, path)));
      case "ZodMiniIntersection":
        return [first, second].map((part) => grouped(schema(part, path))).join(" & ");
      case "ZodMiniRecord":
        return `Record<${primitive(output(first, path), path)}, ${schema(second, path)}>`;
      // How these were built is not in their types; what they give is.
      case "OpenEnum":
      case "ZodMiniType":
        return plain(output(type, path), path);
      default: {
        const given = output(type, path);
        return isPrimitive(given) ? primitive(given, path) : fail(path, kind ?? checker.typeToString(type));
      }
    }
  }

  /** A type that is no schema. */
  function plain(type, path) {
    const name = nameOf(type);
    if (name) return name;
    if (isPrimitive(type)) return primitive(type, path);
    if (type.isUnion()) {
      const [primitives, others] = partition(type.types, isPrimitive);
      const texts = primitives.map((member) => primitive(member, path));
      // Beside other members, a boolean is no member of its own but two.
      const isBoolean = texts.includes("true") && texts.includes("false");
      const merged = isBoolean ? ["boolean", ...texts.filter((text) => text !== "true" && text !== "false")] : texts;
      return union([...others.map((member) => plain(member, path)), ...merged]);
    }
    if (checker.isArrayType(type)) return list(plain(checker.getTypeArguments(type)[0], path));
    return isBag(type) ? bag(type, path) : fail(path, checker.typeToString(type));
  }

  /** Holds fields and nothing else. */
  function isBag(type) {
    const isObject = (type.flags & ts.TypeFlags.Object) !== 0 && !checker.isTupleType(type) && !type.isClass();
    return isObject && type.getCallSignatures().length + type.getConstructSignatures().length === 0;
  }

  function bag(type, path) {
    return object(fields(type, type, plain, path), type, path);
  }

  /** The fields that `source` lists, written with `write`; `given` tells which of them may be absent. */
  function fields(source, given, write, path) {
    return ownFirst(source).map((property) => {
      const isOptional = (checker.getPropertyOfType(given, property.name).flags & ts.SymbolFlags.Optional) !== 0;
      const key = /^[A-Za-z_$][\w$]*$/.test(property.name) ? property.name : JSON.stringify(property.name);
      const text = write(checker.getTypeOfSymbol(property), `${path}.${property.name}`);
      return `${docOf(property.declarations?.[0])}${key}${isOptional ? "?" : ""}: ${text};`;
    });
  }

  function object(members, given, path) {
    const indexes = checker.getIndexInfosOfType(given);
    const others = indexes.map(({ keyType, type }) => `[key: ${primitive(keyType, path)}]: ${plain(type, path)};`);
    const isSpecial = (property) =>
      indexes.some(({ type }) => !checker.isTypeAssignableTo(checker.getTypeOfSymbol(property), type));
    return given.getProperties().some(isSpecial)
      ? `${FIELDS}<${block(members)} & ${block(others)}>`
      : block([...members, ...others]);
  }

  /** The type that zod's types keep in a schema. */
  function output(type, path) {
    const member = (owner, name) => {
      const property = checker.getPropertyOfType(owner, name) ?? fail(path, checker.typeToString(type));
      return checker.getTypeOfSymbol(property);
    };
    return member(member(type, "_zod"), "output");
  }

  function primitive(type, path) {
    if (!isPrimitive(type)) return fail(path, checker.typeToString(type));
    return checker.typeToString(type, undefined, ts.TypeFormatFlags.NoTruncation);
  }

  return { schema: unnamed, plain, bag };
}

function fail(path, what) {
  throw new Error(
    `${path}: no plain type is known for ${what}. Use a schema that scripts/types/print.mjs knows, or teach it this one.`,
  );
}

/** The fields that a shape states itself, as it does, before those it takes over from another one. */
function ownFirst(type) {
  const literal = type.symbol?.declarations?.[0];
  const position = ({ declarations: [{ parent, pos }] = [{}] }) =>
    parent === literal ? pos : Number.POSITIVE_INFINITY;
  return type.getProperties().toSorted((a, b) => position(a) - position(b) || 0);
}

/** The doc comment above a field or a declaration. */
export function docOf(declaration) {
  const comment = declaration && ts.getJSDocCommentsAndTags(declaration).findLast(ts.isJSDoc);
  return comment ? `${comment.getText().replace(/\n\s*/g, "\n ")}\n` : "";
}

function isPrimitive(type) {
  return type.isUnion() ? type.types.every(isPrimitive) : (type.flags & PRIMITIVE) !== 0;
}

function partition(values, isFirst) {
  return [values.filter((value) => isFirst(value)), values.filter((value) => !isFirst(value))];
}

function block(members) {
  return members.length ? `{\n${members.join("\n").replace(/^/gm, "  ")}\n}` : "{}";
}

function union(texts) {
  return [...new Set(texts)].join(" | ");
}

function list(text) {
  return `${grouped(text)}[]`;
}

/** In parentheses where an operator of its own could be torn apart. */
function grouped(text) {
  const [{ type }] = ts.createSourceFile("", `type T = ${text}`, ts.ScriptTarget.Latest).statements;
  return ts.isUnionTypeNode(type) || ts.isIntersectionTypeNode(type) ? `(${text})` : text;
}
