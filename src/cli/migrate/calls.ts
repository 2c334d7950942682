import type ts from "typescript";
import { givesVersion } from "./fields.js";
import { argumentOf, type Call, isAwaited, literalOf, tableOf } from "./library-call.js";
import type { FileContext } from "./project.js";
import { fillTemplate, hasClient, ownerText } from "./template.js";

/** The call as it will be; `undefined` if it stays as it is. */
export function printCall(file: FileContext, call: Call): string | undefined {
  const { template, method, node } = call;
  if (template.startsWith("!")) {
    file.todo(template.slice(1));
    return undefined;
  }
  warnOfUnknown(file, call);
  if (isWithoutVersion(file, call)) {
    file.todo("no version is passed: add one here, or toolkitVersions to the client. #from-another-client");
  }
  if (isAwaited(template) && !mayAwait(file, node)) {
    file.todo("its replacement awaits two calls, so it needs an async function and await. #from-another-client");
    return undefined;
  }
  if (!hasClient(file, call) && !isSameGroup(call)) {
    file.todo(`call it on the client: ${template.replaceAll("$", "")}. #from-another-client`);
    return undefined;
  }
  const list = `(${method.parameters.map((name) => `$${name}`).join(", ")})`;
  if (template === "=") return renamed(file, call, method.path);
  if (template.endsWith(list) && /^[\w.]+$/.test(template.slice(0, -list.length))) {
    return renamed(file, call, template.slice(0, -list.length));
  }
  return fillTemplate(file, call);
}

/** The call with another method and the same arguments, as they are formatted. */
function renamed(file: FileContext, call: Call, path: string): string {
  const { node, callee, method } = call;
  const { text } = file.source;
  const isSame = groupOf(method.path) === groupOf(path);
  const before = isSame
    ? file.print(callee.expression) + text.slice(callee.expression.end, callee.name.getStart())
    : ownerText(file, call);
  return before + (isSame ? path.split(".").at(-1) : path) + file.printBetween(callee.end, node);
}

function isSameGroup({ method, template }: Call): boolean {
  const [path = method.path] = /^[\w.]+(?=\()/.exec(template) ?? [];
  return groupOf(path) === groupOf(method.path);
}

function groupOf(path: string): string {
  return path.split(".").slice(0, -1).join(".");
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
  const { project } = file;
  method.parameters.forEach((parameter, index) => {
    const argument = argumentOf(project.ts, node, index);
    if (!argument || !tableOf(parameter, on, template) || literalOf(project, argument)) return;
    const kind = project.kinds.of(argument);
    if (kind?.is === "value" || project.ts.isStringLiteralLike(argument)) return;
    const names =
      parameter === "options" ? "signal, timeoutMs, maxRetries and headers" : "the API's: user_id, not userId";
    file.todo(
      `${argument.getText().slice(0, 40)} is built elsewhere; the names of its fields are ${names}. #from-another-client`,
    );
  });
}

/** Whether a tool is executed without a version, which the other libraries can allow. */
function isWithoutVersion(file: FileContext, { method, on, node }: Call): boolean {
  const { project } = file;
  if (method.path !== "tools.execute" || on.is !== "client" || on.hasVersions) return false;
  const body = argumentOf(project.ts, node, method.parameters.indexOf("body"));
  if (!body) return true;
  const fields = literalOf(project, body)?.properties;
  // What is spread may have one.
  return fields?.every((field) => !project.ts.isSpreadAssignment(field) && !givesVersion(file, field)) ?? false;
}
