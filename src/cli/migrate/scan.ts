import type ts from "typescript";
import { libraryOf } from "./exports.js";
import type { FieldTableName } from "./field-tables.js";
import type { FileContext } from "./file-context.js";
import type { Kinds } from "./kinds.js";
import { libraryCall, literalOf, markArguments } from "./library-call.js";
import type { Project } from "./project.js";

type Marks = FileContext["marks"];

/** Types of options, with the table of their fields. */
const OPTION_TYPES: Readonly<Record<string, "options" | "callOptions">> = {
  ClientOptions: "options",
  ComposioConfig: "options",
  RequestOptions: "callOptions",
};

/** Marks the objects that a file passes to a library, and returns whether it uses one. */
export function scan(project: Project, kinds: Kinds, marks: Marks, source: ts.SourceFile): boolean {
  const { ts } = project;
  let uses = false;
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteral(node) && libraryOf(node.text)) uses = true;
    if (ts.isCallExpression(node)) {
      const call = libraryCall(project, kinds, node);
      if (call !== undefined) uses = true;
      if (typeof call === "object") markArguments(project, kinds, marks, call);
    }
    if (ts.isPropertyAccessExpression(node) && kinds.of(node.expression)) uses = true;
    if (ts.isBindingElement(node) && kinds.of(node)) uses = true;
    if (ts.isNewExpression(node) && kinds.of(node)?.is === "client") {
      uses = true;
      const [options] = node.arguments ?? [];
      if (options) markOptions(project, kinds, marks, options, "options");
    }
    if (ts.isVariableDeclaration(node) && node.type && ts.isTypeReferenceNode(node.type) && node.initializer) {
      const kind = kinds.of(node.type.typeName);
      const table = kind?.is === "export" ? OPTION_TYPES[kind.name] : undefined;
      if (table) markOptions(project, kinds, marks, node.initializer, table);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return uses;
}

/** Marks an object of options, and those whose fields it copies. */
function markOptions(project: Project, kinds: Kinds, marks: Marks, node: ts.Expression, table: FieldTableName): void {
  const literal = literalOf(project, kinds, node);
  if (!literal || marks.has(literal)) return;
  marks.set(literal, table);
  for (const property of literal.properties) {
    if (project.ts.isSpreadAssignment(property)) markOptions(project, kinds, marks, property.expression, table);
  }
}
