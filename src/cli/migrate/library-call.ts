import type ts from "typescript";
import { METHODS, VALUE_METHODS } from "./declarations.js";
import { libraryOf } from "./exports.js";
import type { ClientKind, ValueKind } from "./kinds.js";
import type { Method, Template } from "./method-table.js";
import { FIELD_TABLES, type FieldTableName } from "./names.js";
import type { FileContext, Project } from "./project.js";

/** Parameters that aren't objects of the API. */
const PLAIN =
  /^(slug|id|user|toolkit|config|status|timeout|arguments|mount|server|instance|app|entity|request|handler)$/;

export interface Call {
  readonly node: ts.CallExpression;
  readonly callee: ts.PropertyAccessExpression;
  readonly method: Method;
  readonly on: ClientKind | ValueKind;
  readonly template: Template;
}

/** A call of a library's method with the template that applies to it; a reason if the table doesn't have the method. */
export function libraryCall(project: Project, node: ts.CallExpression): Call | string | undefined {
  const { ts } = project;
  const callee = node.expression;
  if (!ts.isPropertyAccessExpression(callee)) return undefined;
  const name = callee.name.text;
  if (/^(then|catch|finally|getClient)$/.test(name)) return undefined;
  const owner = project.kinds.of(callee.expression);
  // A group in brackets gets a comment instead.
  if (owner?.is === "client" && ts.isElementAccessExpression(callee.expression)) return undefined;
  const on = owner?.is === "value" ? owner : project.kinds.of(callee);
  if (on?.is !== "client" && on?.is !== "value") return undefined;
  const [methods, path] = on.is === "client" ? [METHODS[on.library], on.path] : [VALUE_METHODS[on.shape], name];
  if (!methods) return undefined;
  const method = methods.get(path);
  if (!method) return `svc-sdk has no ${path} here. #from-another-client`;
  if (node.arguments.some((argument) => ts.isSpreadElement(argument))) {
    return "the arguments are spread, so they can't be read. #from-another-client";
  }
  const [, template] = method.cases.find(([condition]) => meetsCondition(project, method, node, condition)) ?? [];
  return template === undefined ? undefined : { node, callee, method, on, template };
}

function meetsCondition(
  project: Project,
  method: Method,
  node: ts.CallExpression,
  condition: string | undefined,
): boolean {
  const { ts } = project;
  if (condition === undefined) return true;
  const [, parameter = "", key, test = "", wanted = ""] = /^(\w+)(?:\.(\w+))?([?=])(\w+)$/.exec(condition) ?? [];
  const argument = argumentOf(ts, node, method.parameters.indexOf(parameter));
  const value = key === undefined ? argument : propertyOf(project, argument, key);
  if (test === "=") return value !== undefined && value.getText().replace(/^(["'`])(.*)\1$/, "$2") === wanted;
  if (wanted === "absent" || wanted === "present") return (value === undefined) === (wanted === "absent");
  if (value === undefined) return false;
  const literal = literalOf(project, value);
  if (wanted === "object") return literal !== undefined;
  return (project.checker.getTypeAtLocation(value).flags & ts.TypeFlags.StringLike) !== 0;
}

/** An argument, unless it is `undefined`. */
export function argumentOf(ts: Project["ts"], node: ts.CallExpression, index: number): ts.Expression | undefined {
  const argument = node.arguments[index];
  return argument && ts.isIdentifier(argument) && argument.text === "undefined" ? undefined : argument;
}

/** The object that is passed: itself, or the one that a constant was declared with. */
export function literalOf(project: Project, node: ts.Expression): ts.ObjectLiteralExpression | undefined {
  const { ts } = project;
  if (ts.isObjectLiteralExpression(node)) return node;
  if (ts.isAsExpression(node) || ts.isSatisfiesExpression(node) || ts.isParenthesizedExpression(node)) {
    return literalOf(project, node.expression);
  }
  if (!ts.isIdentifier(node)) return undefined;
  const [declaration] = project.kinds.symbolOf(node)?.declarations ?? [];
  const isConstant = declaration && ts.isVariableDeclaration(declaration) && declaration.initializer;
  return isConstant ? literalOf(project, isConstant) : undefined;
}

export function propertyOf(project: Project, node: ts.Expression | undefined, key: string): ts.Expression | undefined {
  const { ts } = project;
  const literal = node && literalOf(project, node);
  const property = literal?.properties.find(({ name }) => name?.getText() === key);
  if (property && ts.isPropertyAssignment(property)) return property.initializer;
  return property && ts.isShorthandPropertyAssignment(property) ? property.name : undefined;
}

/** Marks the objects of a call whose fields have other names here. */
function markArguments(project: Project, marks: FileContext["marks"], call: Call): void {
  const { method, on, template, node } = call;
  if (template.startsWith("!")) return;
  method.parameters.forEach((parameter, index) => {
    const argument = argumentOf(project.ts, node, index);
    const literal = argument && literalOf(project, argument);
    const table = tableOf(parameter, on, template);
    if (literal && table) marks.set(literal, table);
  });
}

/** The table for the fields of a parameter, if they have other names here. */
export function tableOf(parameter: string, on: ClientKind | ValueKind, template: Template): FieldTableName | undefined {
  const [, named] = new RegExp(`\\$${parameter}#(\\w+)`).exec(template) ?? [];
  // Tables are named by templates of this package only.
  if (named !== undefined && Object.hasOwn(FIELD_TABLES, named)) return named as FieldTableName;
  if (parameter === "options") return "callOptions";
  if (on.is === "client" && on.library === "client") return undefined;
  return PLAIN.test(parameter) ? undefined : "body";
}

/** Whether the replacement is a value that was awaited, and not a promise. */
export function isAwaited(template: Template): boolean {
  return template.startsWith("=") && template !== "=";
}

const OPTION_TYPES: Readonly<Record<string, "options" | "callOptions">> = {
  ClientOptions: "options",
  ComposioConfig: "options",
  RequestOptions: "callOptions",
};

/** Marks the objects that a file passes to a library, and returns whether it uses one. */
export function scan(project: Project, marks: FileContext["marks"], source: ts.SourceFile): boolean {
  const { ts, kinds } = project;
  let uses = false;
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteral(node) && libraryOf(node.text)) uses = true;
    if (ts.isCallExpression(node)) {
      const call = libraryCall(project, node);
      if (call !== undefined) uses = true;
      if (typeof call === "object") markArguments(project, marks, call);
    }
    if (ts.isPropertyAccessExpression(node) && kinds.of(node.expression)) uses = true;
    if (ts.isObjectBindingPattern(node) && kinds.of(node)) uses = true;
    if (ts.isNewExpression(node) && kinds.of(node)?.is === "client") {
      uses = true;
      const [options] = node.arguments ?? [];
      if (options) markOptions(project, marks, options, "options");
    }
    if (ts.isVariableDeclaration(node) && node.type && ts.isTypeReferenceNode(node.type) && node.initializer) {
      const kind = kinds.of(node.type.typeName);
      const table = kind?.is === "export" ? OPTION_TYPES[kind.name] : undefined;
      if (table) markOptions(project, marks, node.initializer, table);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return uses;
}

/** Marks an object of options, and those whose fields it copies. */
function markOptions(project: Project, marks: FileContext["marks"], node: ts.Expression, table: FieldTableName): void {
  const literal = literalOf(project, node);
  if (!literal || marks.has(literal)) return;
  marks.set(literal, table);
  for (const property of literal.properties) {
    if (project.ts.isSpreadAssignment(property)) markOptions(project, marks, property.expression, table);
  }
}
