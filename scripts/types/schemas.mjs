// Writes the other half of a schema module's declarations: the schemas, as far as the contract needs them. What a schema
// gives is said by the plain type of its name; how it is built is not published, or every field would be written twice.
import { basename, dirname, join } from "node:path/posix";
import ts from "typescript";
import { holdsSchemas, isExported } from "./flatten.mjs";

/** Lets imports from modules that hold schemas lead to the schemas instead of to the plain types. */
export function importSchemas(text, fileName) {
  return text.replace(/(?<=["'])(\.[^"']*)\.js(?=["'])/g, (specifier, path) =>
    holdsSchemas(`${join(dirname(fileName), path)}.ts`) ? `${path}.zod.js` : specifier,
  );
}

/**
 * @param text the declarations that the compiler made of a module that holds schemas
 * @param plainText its plain types
 * @returns the declarations of its schemas, beside which the records are the plain types
 */
export function schemasOf(text, plainText, fileName) {
  const file = parse(text);
  const plainNames = new Set(recordsOf(parse(plainText)).map(({ name }) => name.text));
  const records = recordsOf(file).filter(({ name }) => plainNames.has(name.text));
  const schemas = constantsOf(file).filter(({ name, type }) => plainNames.has(name.text) && !keepsItsType(type, file));
  const edits = [
    ...records.map((node) => ({
      start: node.getStart(file),
      end: node.end,
      text: `export type ${node.name.text} = Plain${node.name.text};`,
    })),
    // The record beside it has the doc. Nothing is converted: what a schema takes is what it gives.
    ...schemas.map(({ name: { text: name }, parent }) => ({
      start: parent.parent.getStart(file, true),
      end: parent.parent.end,
      text: `export declare const ${name}: z.ZodMiniType<${name}, ${name}>;`,
    })),
  ];
  const plain = records.map(({ name: { text: name } }) => `${name} as Plain${name}`).join(", ");
  const path = `./${basename(fileName, ".ts")}.js`;
  return `import type { ${plain} } from "${path}";\n${importSchemas(replaced(file, edits), fileName)}`;
}

const parse = (text) => ts.createSourceFile("module.d.ts", text, ts.ScriptTarget.Latest, true);

/** The types without parameters that a declaration file exports. */
const recordsOf = ({ statements }) =>
  statements.filter(
    (statement) =>
      (ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement)) &&
      !statement.typeParameters &&
      isExported(statement),
  );

const constantsOf = ({ statements }) =>
  statements
    .filter((statement) => ts.isVariableStatement(statement) && isExported(statement))
    .flatMap(({ declarationList }) => declarationList.declarations);

/** The schema of an open enum also has the list of what is known. */
const keepsItsType = (type, file) => /^(import\([^)]*\)\.)?OpenEnum</.test(type.getText(file));

/** The text of a file with some parts of it written anew. */
function replaced({ text }, edits) {
  const inOrder = edits.toSorted((one, other) => one.start - other.start);
  const parts = inOrder.map((edit, index) => text.slice(inOrder[index - 1]?.end ?? 0, edit.start) + edit.text);
  return parts.join("") + text.slice(inOrder.at(-1)?.end ?? 0);
}
