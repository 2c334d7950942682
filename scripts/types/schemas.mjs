// Writes the other half of a schema module's declarations: the schemas, beside which the records are the plain types.
import { dirname, join, relative } from "node:path/posix";
import ts from "typescript";
import { holdsSchemas, isExported } from "./flatten.mjs";

const printer = ts.createPrinter({ removeComments: true });

/** Lets imports from modules that hold schemas lead to the schemas instead of to the plain types. */
export function importSchemas(text, fileName) {
  return text.replace(/(?<=["'])(\.[^"']*)\.js(?=["'])/g, (specifier, path) =>
    holdsSchemas(`${join(dirname(fileName), path)}.ts`) ? `${path}.zod.js` : specifier,
  );
}

/**
 * Takes the declarations that the compiler made of the modules, by file name.
 *
 * @returns a function that declares the schemas of one of them, given its plain types. Where the compiler repeats a record's
 * schema inside another one, it says `typeof` instead.
 */
export function createSchemaDeclarer(modules) {
  const known = Map.groupBy(
    [...modules].flatMap(([fileName, text]) => schemasOf(parse(text)).map((schema) => ({ ...schema, fileName }))),
    ({ shape }) => shape,
  );

  return (fileName, plainText) => {
    const file = parse(modules.get(fileName));
    const imports = new Set();
    const use = (name, alias, from) => {
      const path = relative(dirname(fileName), from).replace(/\.ts$/, "");
      imports.add(`import { ${name} as ${alias} } from "${path.startsWith(".") ? path : `./${path}`}.js";`);
      return alias;
    };

    const plainNames = new Set(recordsOf(parse(plainText)).map(({ name }) => name.text));
    const records = recordsOf(file)
      .filter(({ name }) => plainNames.has(name.text))
      .map((node) => [
        node,
        `export type ${node.name.text} = ${use(node.name.text, `Plain${node.name.text}`, fileName)};`,
      ]);

    const named = [];
    const visit = (node, outermost) => {
      const same = node !== outermost && ts.isTypeReferenceNode(node) ? (known.get(shapeOf(node, file)) ?? []) : [];
      const own = same.find((schema) => schema.fileName === fileName);
      // Two records that are alike by chance do not refer to each other.
      const other = same.length === 1 ? same[0] : undefined;
      if (own) named.push([node, `typeof ${own.name}`]);
      else if (other) {
        const from = other.fileName.replace(/\.ts$/, ".zod.ts");
        named.push([node, `typeof ${use(other.name, `${other.name}Schema`, from)}`]);
      } else ts.forEachChild(node, (child) => visit(child, outermost));
    };
    for (const { type } of schemasOf(file)) visit(type, type);

    const text = importSchemas(replaced(file, [...records, ...named]), fileName);
    return `${[...imports].sort().join("\n")}\n${text}`;
  };
}

const parse = (text) => ts.createSourceFile("module.d.ts", text, ts.ScriptTarget.Latest);

/** The types without parameters that a declaration file exports. */
const recordsOf = ({ statements }) =>
  statements.filter(
    (statement) =>
      (ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement)) &&
      !statement.typeParameters &&
      isExported(statement),
  );

/** The schemas of objects that a declaration file exports. */
const schemasOf = (file) =>
  file.statements
    .filter((statement) => ts.isVariableStatement(statement) && isExported(statement))
    .flatMap(({ declarationList }) => declarationList.declarations)
    .map(({ name, type }) => ({ name: name.text, type, shape: shapeOf(type, file) }))
    .filter(({ shape }) => shape.includes("ZodMiniObject<"));

/** The text of a type without what may differ from one place to another. */
function shapeOf(type, file) {
  const text = printer.printNode(ts.EmitHint.Unspecified, type, file);
  return text.replace(/import\("[^"]*"\)\./g, "").replace(/\s+/g, " ");
}

/** The text of a file with some of its nodes written anew. */
function replaced(file, edits) {
  const inOrder = edits.toSorted(([one], [other]) => one.pos - other.pos);
  const parts = inOrder.map(([node, text], index) => {
    return file.text.slice(inOrder[index - 1]?.[0].end ?? 0, node.getStart(file)) + text;
  });
  return parts.join("") + file.text.slice(inOrder.at(-1)?.[0].end ?? 0);
}
