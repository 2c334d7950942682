import type ts from "typescript";
import { printCall } from "./calls.js";
import { EXPORTS, libraryOf } from "./exports.js";
import { printFields, readAs } from "./fields.js";
import type { ExportKind } from "./kinds.js";
import { isAwaited, libraryCall, literalOf } from "./library-call.js";
import { FIELDS, GROUPS, STRINGS } from "./names.js";
import type { FileContext } from "./project.js";
import { finishAdapter } from "./template.js";

/** The new text of a node; `undefined` if only its children may change. */
export function replacementOf(file: FileContext, node: ts.Node): string | undefined {
  const { ts } = file.project;
  const mark = file.marks.get(node);
  if (mark && ts.isObjectLiteralExpression(node)) return printFields(file, node, mark);
  if (ts.isAwaitExpression(node)) return printAwaited(file, node);
  if (ts.isCallExpression(node)) return printCalled(file, node);
  if (ts.isNewExpression(node)) return printCreated(file, node);
  if (ts.isPropertyAccessExpression(node)) return printMember(file, node, node.expression, node.name);
  if (ts.isElementAccessExpression(node)) warnOfBrackets(file, node);
  if (ts.isQualifiedName(node)) return printMember(file, node, node.left, node.right);
  if (ts.isTypeReferenceNode(node)) return printType(file, node);
  if (ts.isBindingElement(node)) return printDestructured(file, node);
  if (ts.isStringLiteral(node)) return printString(file, node);
  if (ts.isIdentifier(node)) return printName(file, node);
  return undefined;
}

function printAwaited(file: FileContext, node: ts.AwaitExpression): string | undefined {
  const { ts } = file.project;
  if (!ts.isCallExpression(node.expression)) return undefined;
  const call = libraryCall(file.project, node.expression);
  return typeof call === "object" && isAwaited(call.template) ? printCalled(file, node.expression) : undefined;
}

function printCalled(file: FileContext, node: ts.CallExpression): string | undefined {
  const { ts } = file.project;
  const call = libraryCall(file.project, node);
  if (typeof call === "string") file.todo(call);
  if (typeof call === "object") {
    const printed = printCall(file, call);
    return printed !== undefined && call.template.startsWith("=$adapter")
      ? finishAdapter(file, printed, call)
      : printed;
  }
  const callee = node.expression;
  if (!ts.isPropertyAccessExpression(callee)) return undefined;
  const owner = file.project.kinds.of(callee.expression);
  if (owner?.is === "client" && callee.name.text === "getClient") return file.print(callee.expression);
  if (owner?.is === "value" && owner.shape === "wire" && callee.name.text === "asResponse") {
    file.todo("withResponse() returns the data, and meta with status and headers. #from-another-client");
  }
  return undefined;
}

function printCreated(file: FileContext, node: ts.NewExpression): string | undefined {
  const kind = file.project.kinds.of(node);
  const created = file.project.kinds.of(node.expression);
  if (created?.is === "export" && created.name === "*") {
    file.todo('svc-sdk exports the class as Svc: const { Svc } = require("svc-sdk"). #from-another-client');
  }
  if (kind?.is !== "client") return undefined;
  const [options] = node.arguments ?? [];
  const name = file.print(node.expression);
  if (!options) return `new ${name}()`;
  if (!literalOf(file.project, options)) {
    file.todo("the options are built elsewhere; their names are apiKey, baseUrl, headers and timeoutMs. #options");
  }
  const rest = file.printBetween((node.arguments?.pos ?? node.end) - 1, node);
  return `new ${name}${rest === "({})" ? "()" : rest}`;
}

function printMember(file: FileContext, node: ts.Node, left: ts.Node, right: ts.MemberName): string | undefined {
  const { ts } = file.project;
  const owner = file.project.kinds.of(left);
  const { text } = file.source;
  if (owner?.is === "export") return printExported(file, owner, left, right);
  if (owner?.is === "client") warnOfReference(file, node);
  if (owner?.is === "error" && /^(headers|error)$/.test(right.text)) {
    file.todo("an error has body, an object of headers, and retryAfterMs. #from-another-client");
  }
  if (owner?.is !== "value") return FIELDS.has(right.text) ? file.printBetween(left.getStart(), node) : undefined;
  if (ts.isCallExpression(node.parent) && node.parent.expression === node) return undefined;
  const isEvent = owner.shape.startsWith("event");
  const path = readAs(owner.shape, right.text);
  if (path === "") return file.print(left);
  if (path === undefined) {
    file.todo(
      `a normalized event has no ${right.text}; the delivery that verifyWebhook returns may have it. #webhooks`,
    );
    return undefined;
  }
  const dot = text.slice(left.end, right.getStart());
  // A delivery of another kind has no event.
  return `${file.print(left)}${isEvent ? dot.replace(/^(?=\.)/, "?") : dot}${path}`;
}

/** Groups and methods of a client in brackets. */
function warnOfBrackets(file: FileContext, { expression, argumentExpression: name }: ts.ElementAccessExpression): void {
  if (file.project.kinds.of(expression)?.is !== "client") return;
  const written = file.project.ts.isStringLiteralLike(name) ? `.${name.text}` : "a name after a dot";
  file.todo(`write ${written} instead of ${name.getText()} in brackets, and run this again. #from-another-client`);
}

/** Methods and groups without a call: a variable, an argument. */
function warnOfReference(file: FileContext, node: ts.Node): void {
  const { ts } = file.project;
  const { parent } = node;
  const isOwner = ts.isPropertyAccessExpression(parent) && parent.expression === node;
  const isCalled = ts.isCallExpression(parent) && parent.expression === node;
  const kind = file.project.kinds.of(node);
  if (isOwner || isCalled || kind?.is !== "client" || kind.path === "" || GROUPS.test(kind.path)) return;
  if (/^(apiKey|baseURL|maxRetries|timeout|logger)$/.test(kind.path)) {
    file.todo(`a client doesn't show its options, such as ${kind.path}. #options`);
  } else file.todo(`${kind.path} has another name or other arguments here. #from-another-client`);
}

/** `Composio.NotFoundError`, and what a namespace contains. */
function printExported(file: FileContext, owner: ExportKind, left: ts.Node, right: ts.MemberName): string | undefined {
  const target = EXPORTS[owner.library].get(right.text);
  if (!target) {
    file.todo(`svc-sdk has no ${right.text}. #from-another-client`);
    return undefined;
  }
  const isNamespace = owner.name === "*" && target.from === "svc-sdk";
  return isNamespace ? `${file.print(left)}.${target.name}` : file.need(target.name, target.from);
}

function printType(file: FileContext, node: ts.TypeReferenceNode): string | undefined {
  const kind = file.project.kinds.of(node.typeName);
  const isClientClass = kind?.is === "export" && kind.library !== "provider" && kind.name === "Composio";
  return isClientClass ? file.print(node.typeName) : undefined;
}

function printDestructured(file: FileContext, node: ts.BindingElement): string | undefined {
  const { ts } = file.project;
  const owner = file.project.kinds.of(node.parent);
  const key = node.propertyName ?? node.name;
  if (!ts.isObjectBindingPattern(node.parent) || node.dotDotDotToken || !ts.isIdentifier(key)) return undefined;
  const rest = () => (node.initializer ? ` = ${file.print(node.initializer)}` : "");
  if (owner?.is === "export") {
    const target = EXPORTS[owner.library].get(key.text);
    if (!target) file.todo(`svc-sdk has no ${key.text}. #from-another-client`);
    const local = file.localNames.get(node) ?? node.name.getText();
    return target && (target.name === local ? local : `${target.name}: ${local}`);
  }
  if (owner?.is === "client" && !GROUPS.test(key.text)) {
    file.todo(`${key.text} has another name or other arguments here. #from-another-client`);
  }
  if (owner?.is !== "value") return undefined;
  if (owner.shape.startsWith("event")) {
    file.todo("a normalized event has the payload's fields itself. #webhooks");
    return undefined;
  }
  const path = (readAs(owner.shape, key.text) ?? key.text).split(".");
  const local = ts.isIdentifier(node.name) ? node.name.text : file.print(node.name);
  const inner = path.at(-1) === local ? local : `${path.at(-1)}: ${local}`;
  return path.slice(0, -1).reduceRight((text, name) => `${name}: { ${text} }`, inner + rest());
}

function printString(file: FileContext, node: ts.StringLiteral): string | undefined {
  const { ts } = file.project;
  const { parent } = node;
  const [quote = '"'] = node.getText();
  if (libraryOf(node.text)) {
    const isRequired =
      ts.isCallExpression(parent) &&
      (parent.expression.kind === ts.SyntaxKind.ImportKeyword || parent.expression.getText() === "require");
    if (isRequired) return `${quote}svc-sdk${quote}`;
    file.todo("this names the old package. #from-another-client");
    return undefined;
  }
  const isManager =
    ts.isPropertyAssignment(parent) && /^managed_?by$/i.test(parent.name.getText()) && node.text === "composio";
  const text = isManager ? "svc" : STRINGS.get(node.text);
  return text === undefined ? undefined : `${quote}${text}${quote}`;
}

function printName(file: FileContext, node: ts.Identifier): string | undefined {
  const { ts } = file.project;
  const { parent } = node;
  const field = FIELDS.get(node.text);
  const isProperty =
    ts.isPropertyAccessExpression(parent) || ts.isPropertyAssignment(parent) || ts.isPropertySignature(parent);
  if (isProperty && parent.name === node) return field;
  const name = newNameOf(file, node);
  if (name === undefined) return undefined;
  if (ts.isShorthandPropertyAssignment(parent)) return `${node.text}: ${name}`;
  if (ts.isExportSpecifier(parent) && !parent.propertyName) return `${name} as ${node.text}`;
  return name;
}

function newNameOf(file: FileContext, node: ts.Identifier): string | undefined {
  const { ts, checker } = file.project;
  const { parent } = node;
  const symbol = ts.isShorthandPropertyAssignment(parent)
    ? checker.getShorthandAssignmentValueSymbol(parent)
    : ts.isExportSpecifier(parent)
      ? checker.getExportSpecifierLocalTargetSymbol(parent)
      : checker.getSymbolAtLocation(node);
  for (const declaration of symbol?.declarations ?? []) {
    if (file.dropped.has(declaration)) {
      file.todo(`an adapter of svc-sdk/agents replaces ${node.text}. #tools-for-models`);
    }
    const name = file.localNames.get(declaration);
    if (name !== undefined) return name;
  }
  return undefined;
}
