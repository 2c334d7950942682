import type ts from "typescript";
import { FIELD_TABLES, type FieldTableName, printFields } from "./fields.js";
import type { FileContext } from "./file-context.js";
import type { ClientKind, Kinds, ValueKind } from "./kinds.js";
import type { Method, Template } from "./method-table.js";
import { ADAPTERS, DEFAULT_ADAPTER } from "./names.js";
import type { Project } from "./project.js";

/** Where the functions are that templates call. */
const NEEDED: Readonly<Record<string, string>> = {
  toolset: "svc-sdk/agents",
  normalizeTrigger: "svc-sdk/webhooks",
  verifyWebhook: "svc-sdk/webhooks",
};
/** Parameters that aren't objects of the API. */
const PLAIN =
  /^(slug|id|user|toolkit|config|status|timeout|arguments|mount|server|instance|app|entity|request|handler)$/;
/** Stands for a parameter that isn't passed. */
const ABSENT = "\0";

/** A call of a library's method. */
interface Call {
  readonly node: ts.CallExpression;
  readonly callee: ts.PropertyAccessExpression;
  readonly method: Method;
  readonly on: ClientKind | ValueKind;
  readonly template: Template;
}

/** A call of a library's method with the template that applies to it; a reason if the table doesn't have the method. */
export function libraryCall(project: Project, kinds: Kinds, node: ts.CallExpression): Call | string | undefined {
  const { ts } = project;
  const callee = node.expression;
  if (!ts.isPropertyAccessExpression(callee)) return undefined;
  const found = kinds.methodOf(callee);
  if (!found) return undefined;
  const { method, on } = found;
  if (!method) return `svc-sdk has no ${callee.name.text} here. #from-another-client`;
  if (node.arguments.some((argument) => ts.isSpreadElement(argument))) {
    return "the arguments are spread, so they can't be read. #from-another-client";
  }
  const [, template] = method.cases.find(([condition]) => holds(project, kinds, method, node, condition)) ?? [];
  return template === undefined ? undefined : { node, callee, method, on, template };
}

function holds(
  project: Project,
  kinds: Kinds,
  method: Method,
  node: ts.CallExpression,
  condition: string | undefined,
): boolean {
  const { ts } = project;
  if (condition === undefined) return true;
  const [, parameter = "", key, test = "", wanted = ""] = /^(\w+)(?:\.(\w+))?([?=])(\w+)$/.exec(condition) ?? [];
  const argument = argumentOf(ts, node, method.parameters.indexOf(parameter));
  const value = key === undefined ? argument : propertyOf(project, kinds, argument, key);
  if (test === "=") return value !== undefined && value.getText().replace(/^(["'`])(.*)\1$/, "$2") === wanted;
  if (wanted === "absent" || wanted === "present") return (value === undefined) === (wanted === "absent");
  if (value === undefined) return false;
  const literal = literalOf(project, kinds, value);
  if (wanted === "object") return literal !== undefined;
  return (project.checker.getTypeAtLocation(value).flags & ts.TypeFlags.StringLike) !== 0;
}

function argumentOf(ts: Project["ts"], node: ts.CallExpression, index: number): ts.Expression | undefined {
  const argument = node.arguments[index];
  return argument && ts.isIdentifier(argument) && argument.text === "undefined" ? undefined : argument;
}

/** The object that is passed: itself, or the one that a constant was declared with. */
export function literalOf(project: Project, kinds: Kinds, node: ts.Expression): ts.ObjectLiteralExpression | undefined {
  const { ts } = project;
  if (ts.isObjectLiteralExpression(node)) return node;
  if (ts.isAsExpression(node) || ts.isSatisfiesExpression(node) || ts.isParenthesizedExpression(node)) {
    return literalOf(project, kinds, node.expression);
  }
  if (!ts.isIdentifier(node)) return undefined;
  const [declaration] = kinds.declarationsOf(node);
  const isConstant = declaration && ts.isVariableDeclaration(declaration) && declaration.initializer;
  return isConstant ? literalOf(project, kinds, isConstant) : undefined;
}

function propertyOf(
  project: Project,
  kinds: Kinds,
  node: ts.Expression | undefined,
  key: string,
): ts.Expression | undefined {
  const { ts } = project;
  const literal = node && literalOf(project, kinds, node);
  const property = literal?.properties.find(({ name }) => name?.getText() === key);
  if (property && ts.isPropertyAssignment(property)) return property.initializer;
  return property && ts.isShorthandPropertyAssignment(property) ? property.name : undefined;
}

/** Marks the objects of a call whose fields have other names here. */
export function markArguments(project: Project, kinds: Kinds, marks: FileContext["marks"], call: Call): void {
  const { method, on, template, node } = call;
  if (template.startsWith("!")) return;
  method.parameters.forEach((parameter, index) => {
    const argument = argumentOf(project.ts, node, index);
    const literal = argument && literalOf(project, kinds, argument);
    const table = tableOf(parameter, on, template);
    if (literal && table) marks.set(literal, table);
  });
}

function tableOf(parameter: string, on: ClientKind | ValueKind, template: Template): FieldTableName | undefined {
  const [, named] = new RegExp(`\\$${parameter}#(\\w+)`).exec(template) ?? [];
  // Tables are named by templates of this package only.
  if (named !== undefined && Object.hasOwn(FIELD_TABLES, named)) return named as FieldTableName;
  if (parameter === "options") return "callOptions";
  if (on.is === "client" && on.library === "client") return undefined;
  if (parameter === "config" && /toolRouter\.create/.test(template)) return "session";
  if (parameter === "config" && /auth_config: \$config/.test(template)) return "body";
  return PLAIN.test(parameter)
    ? undefined
    : on.is === "value" && on.shape === "session" && parameter === "body" && template === "="
      ? "session"
      : "body";
}

/** The call as it will be; `undefined` if it stays as it is. */
export function printCall(file: FileContext, call: Call): string | undefined {
  const { template, node } = call;
  if (template.startsWith("!")) {
    file.todo(template.slice(1));
    return undefined;
  }
  warnOfUnknown(file, call);
  const isValue = template.startsWith("=") && template !== "=";
  if (isValue && !mayAwait(file, node)) {
    file.todo("its replacement awaits two calls, so it needs an async function and await. #from-another-client");
    return undefined;
  }
  const same = `${call.method.path}(${call.method.parameters.map((name) => `$${name}`).join(", ")})`;
  const full = template === "=" ? same : template;
  const [, path = ""] = /^([\w.]+)\(/.exec(full) ?? [];
  const [, list = ""] = /\((.*)\)$/.exec(full) ?? [];
  const isRename =
    !isValue &&
    full === `${path}(${call.method.parameters.map((name) => `$${name}`).join(", ")})` &&
    list !== undefined;
  if (isRename) return renamed(file, call, path);
  const text = fill(file, call, isValue ? full.slice(1) : full);
  return text === undefined || isValue ? text : `${base(file, call)}${text}`;
}

/** The call with another method and the same arguments, as they are formatted. */
function renamed(file: FileContext, { node, callee, method, on }: Call, path: string): string {
  const old = on.is === "client" ? method.path : callee.name.text;
  const method_ = path === old ? file.print(callee) : `${base(file, { callee, on })}${path}`;
  return method_ + file.printBetween(callee.end, node);
}

/** The client or value with the dot, as it is formatted. */
function base(file: FileContext, { callee, on }: Pick<Call, "callee" | "on">): string {
  const { ts } = file.project;
  let owner: ts.Expression = callee;
  let depth = on.is === "client" ? on.path.split(".").length : 1;
  let dot = ".";
  for (; depth > 0 && ts.isPropertyAccessExpression(owner); depth -= 1) {
    dot = file.source.text.slice(owner.expression.end, owner.name.getStart());
    owner = owner.expression;
  }
  return `${file.print(owner)}${dot}`;
}

function mayAwait(file: FileContext, node: ts.CallExpression): boolean {
  const { ts } = file.project;
  if (ts.isPropertyAccessExpression(node.parent)) return false;
  const owner = ts.findAncestor(node, ts.isFunctionLike);
  if (!owner) return true;
  return (
    ts.canHaveModifiers(owner) && (ts.getModifiers(owner) ?? []).some(({ kind }) => kind === ts.SyntaxKind.AsyncKeyword)
  );
}

/** Objects that were built elsewhere keep their fields, which a person must look at. */
function warnOfUnknown(file: FileContext, { method, on, node, template }: Call): void {
  const { project, kinds } = file;
  method.parameters.forEach((parameter, index) => {
    const argument = argumentOf(project.ts, node, index);
    if (!argument || !tableOf(parameter, on, template) || literalOf(project, kinds, argument)) return;
    const kind = kinds.of(argument);
    if (kind?.is === "value" || project.ts.isStringLiteralLike(argument)) return;
    const names =
      parameter === "options" ? "signal, timeoutMs, maxRetries and headers" : "the API's: user_id, not userId";
    file.todo(
      `${argument.getText().slice(0, 40)} is built elsewhere; the names of its fields are ${names}. #from-another-client`,
    );
  });
}

/** Puts the arguments into a template. */
function fill(file: FileContext, call: Call, template: Template): string | undefined {
  const values = new Map<string, string>();
  let isIncomplete = false;
  const placeholder = /(\.\.\.)?\$(\w+)(?:\.(\w+))?(?:-(\w+))?(?:#(\w+))?/g;
  const open = template.replace(placeholder, (whole, spread, name, key, without) => {
    const value = argumentText(file, call, { spread, name, key, without });
    if (value === undefined) isIncomplete = true;
    if (value === undefined || value === "") return spread ? `...${ABSENT}` : ABSENT;
    const id = `\x01${values.size}\x02`;
    values.set(id, value);
    return whole === "" ? "" : id;
  });
  if (isIncomplete) return undefined;
  let closed = withoutAbsent(open);
  for (const [id, value] of values) closed = closed.replace(id, () => value);
  return closed.replace(/\b(toolset|normalizeTrigger|verifyWebhook)(?=\()/g, (name) =>
    file.need(name, NEEDED[name] ?? ""),
  );
}

function withoutAbsent(template: string): string {
  let text = template;
  for (let before = ""; before !== text; ) {
    before = text;
    text = text
      .replace(new RegExp(`(?:"?[\\w-]+"?: |\\.\\.\\.)${ABSENT}(?:, )?`, "g"), "")
      .replace(/, (?=\})/g, " ")
      .replace(/\{ *\}/g, ABSENT)
      .replace(new RegExp(`, ${ABSENT}(?=\\))`, "g"), "")
      .replace(new RegExp(`\\(${ABSENT}\\)`, "g"), "()");
  }
  return text.replaceAll(ABSENT, "undefined");
}

interface Placeholder {
  readonly spread: string | undefined;
  readonly name: string;
  readonly key: string | undefined;
  readonly without: string | undefined;
}

/** The text of an argument, empty if it isn't passed; `undefined` if it can't be known. */
function argumentText(file: FileContext, call: Call, { spread, name, key, without }: Placeholder): string | undefined {
  const { project, kinds } = file;
  if (name === "absent") return "";
  if (name === "client") return clientText(file, call);
  if (name === "self") return file.print(call.callee.expression);
  if (name === "adapter") return adapterText(file, call);
  const argument = argumentOf(project.ts, call.node, call.method.parameters.indexOf(name));
  if (!argument) return "";
  const literal = project.ts.isObjectLiteralExpression(argument) ? argument : undefined;
  if (key !== undefined) {
    if (!literal) return `${file.print(argument)}.${key}`;
    const value = propertyOf(project, kinds, literal, key);
    return value ? file.print(value) : "";
  }
  if (without !== undefined) {
    if (!literal) {
      file.todo(`pass an object without ${without} here: it is an argument of its own now. #from-another-client`);
      return file.print(argument);
    }
    const others = literal.properties.filter((property) => property.name?.getText() !== without);
    return others.length === 0 ? "" : `{ ${others.map((property) => file.print(property)).join(", ")} }`;
  }
  if (!spread) return file.print(argument);
  if (!literal) return `...${file.print(argument)}`;
  const printed = printFields(file, literal, file.marks.get(literal) ?? "untouched");
  return printed.replace(/^\{\s*|,?\s*\}$/g, "");
}

/** The client for a call on one of its values, if it is in reach. */
function clientText(file: FileContext, { callee, on, node }: Call): string | undefined {
  const { ts, checker } = file.project;
  if (on.is === "client") return base(file, { callee, on }).replace(/\s*\??\.\s*$/, "");
  const { client } = on;
  const missing = () => {
    file.todo("svc.connectedAccounts.waitUntilActive does this; the client isn't in reach here. #from-another-client");
    return undefined;
  };
  if (on.shape === "session") return file.print(callee.expression);
  if (!client) return missing();
  if (ts.isIdentifier(client)) {
    const [declaration] = file.kinds.declarationsOf(client);
    const visible = checker.getSymbolsInScope(node, ts.SymbolFlags.Value | ts.SymbolFlags.Alias);
    const found = visible.find(({ name }) => name === client.text);
    const target = found && found.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(found) : found;
    return declaration && target?.declarations?.includes(declaration) ? client.text : missing();
  }
  const isOwn = client.getText().startsWith("this.");
  const classOf = (from: ts.Node) => ts.findAncestor(from, ts.isClassLike);
  return isOwn && classOf(client) === classOf(node) ? client.getText() : missing();
}

function adapterText(file: FileContext, { on }: Call): string {
  const adapter = ADAPTERS[on.provider ?? DEFAULT_ADAPTER];
  return adapter ? file.need(adapter.name, `svc-sdk/agents/${adapter.entry}`) : "";
}

/** What an adapter returns: the tools themselves, or an object with them. */
export function finishAdapter(file: FileContext, text: string, on: ClientKind | ValueKind): string {
  const { given, property } = ADAPTERS[on.provider ?? DEFAULT_ADAPTER] ?? {};
  const passed = given ? text.replace(/\)$/, `, { ${file.need(...given)} })`) : text;
  return property === undefined ? passed : `${passed}.${property}`;
}
