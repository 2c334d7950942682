// Writes the other half of a schema module's declarations: the schemas, for svc-sdk/contract. A schema's declaration
// names the plain type that it infers, and doesn't say how the schema is made, or every field would be published twice.
import { basename, dirname, join } from "node:path/posix";
import ts from "typescript";
import { holdsSchemas, isExported } from "./flatten.ts";

type TypeDeclaration = ts.InterfaceDeclaration | ts.TypeAliasDeclaration;

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Lets imports from modules that hold schemas lead to the schemas instead of to the plain types. */
export function importSchemas(text: string, fileName: string): string {
  return text.replace(/(?<=["'])(\.[^"']*)\.js(?=["'])/g, (specifier, path) =>
    holdsSchemas(`${join(dirname(fileName), path)}.ts`) ? `${path}.zod.js` : specifier,
  );
}

/**
 * @param text the declarations that the compiler made of a module that holds schemas
 * @param plainText its plain types
 * @returns the declarations of its schemas, which refer to the plain types
 */
export function schemasOf(text: string, plainText: string, fileName: string): string {
  const file = parse(text);
  const plainNames = new Set(recordsOf(parse(plainText)).map(({ name }) => name.text));
  const records = recordsOf(file).filter(({ name }) => plainNames.has(name.text));
  const edits = [
    ...records.map((node) => ({
      start: node.getStart(file),
      end: node.end,
      text: `export type ${node.name.text} = Plain${node.name.text};`,
    })),
    ...file.statements.flatMap((statement) => schemaEdits(statement, file, plainNames)),
  ];
  const plain = records.map(({ name: { text: name } }) => `${name} as Plain${name}`).join(", ");
  const path = `./${basename(fileName, ".ts")}.js`;
  return `import type { ${plain} } from "${path}";\n${importSchemas(replaced(text, edits), fileName)}`;
}

function parse(text: string): ts.SourceFile {
  return ts.createSourceFile("module.d.ts", text, ts.ScriptTarget.Latest, true);
}

/** The types without parameters that a declaration file exports. */
function recordsOf({ statements }: ts.SourceFile): TypeDeclaration[] {
  return statements
    .filter((statement) => ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement))
    .filter((statement) => !statement.typeParameters && isExported(statement));
}

/** Shortens the type of a schema that has a plain type. Its doc, which is also the type's, stays. */
function schemaEdits(statement: ts.Statement, file: ts.SourceFile, plainNames: ReadonlySet<string>): Edit[] {
  if (!ts.isVariableStatement(statement) || !isExported(statement)) return [];
  return statement.declarationList.declarations.flatMap(({ name, type }) => {
    const text = name.getText(file);
    if (!plainNames.has(text) || (type && isOpenEnum(type, file))) return [];
    // A schema takes what it infers: none converts.
    const declaration = `export declare const ${text}: z.ZodMiniType<${text}, ${text}>;`;
    return { start: statement.getStart(file), end: statement.end, text: declaration };
  });
}

/** The schema of an open enum keeps its type, because it also lists the known values. */
function isOpenEnum(type: ts.TypeNode, file: ts.SourceFile): boolean {
  return /^(import\([^)]*\)\.)?OpenEnum</.test(type.getText(file));
}

/** The text with some parts of it replaced. */
function replaced(text: string, edits: readonly Edit[]): string {
  const inOrder = edits.toSorted((one, other) => one.start - other.start);
  const parts = inOrder.map((edit, index) => text.slice(inOrder[index - 1]?.end ?? 0, edit.start) + edit.text);
  return parts.join("") + text.slice(inOrder.at(-1)?.end ?? 0);
}
