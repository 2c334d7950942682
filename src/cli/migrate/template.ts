import type ts from "typescript";
import { printFields } from "./fields.js";
import { argumentOf, type Call, isAwaited, propertyOf } from "./library-call.js";
import { ADAPTERS, DEFAULT_ADAPTER } from "./names.js";
import type { FileContext } from "./project.js";

/** Where the functions are that templates call. */
const NEEDED: Readonly<Record<string, string>> = {
  toolset: "svc-sdk/agents",
  normalizeTrigger: "svc-sdk/webhooks",
  verifyWebhook: "svc-sdk/webhooks",
};
const FUNCTIONS = new RegExp(`\\b(${Object.keys(NEEDED).join("|")})(?=\\()`, "g");
const PLACEHOLDER = /(\.\.\.)?\$(\w+)!?(?:\.(\w+))?(?:-(\w+))?(?:#(\w+))?/g;
const NAMED = /\$\w+!/;
/** Stands for a parameter that isn't passed. */
const ABSENT = "\0";

/** The call that a template describes; `undefined` if it can't be written. */
export function fillTemplate(file: FileContext, call: Call): string | undefined {
  const { template } = call;
  const isWhole = isAwaited(template) || NAMED.test(template);
  const own = isWhole ? undefined : onSession(file, call);
  const filled = fill(file, call, isAwaited(template) ? template.slice(1) : (own?.rest ?? template));
  if (filled === undefined || isWhole) return filled;
  return (own?.session ?? ownerText(file, call)) + filled;
}

/** `session.execute` instead of `client.toolRouter.use(session.id).execute`. */
function onSession(file: FileContext, { node, template }: Call) {
  const { ts } = file.project;
  const [start] = /^toolRouter\.use\(\$id\)\./.exec(template) ?? [];
  const [id] = node.arguments;
  if (start === undefined || !id || !ts.isPropertyAccessExpression(id) || id.name.text !== "session_id")
    return undefined;
  const owner = file.project.kinds.of(id.expression);
  const isSession = owner?.is === "value" && owner.shape === "sessionRecord";
  return isSession ? { session: `${file.print(id.expression)}.`, rest: template.slice(start.length) } : undefined;
}

/**
 * The client or value of a method, and the dot behind it, as it is formatted. `isWhole` is false if a variable has only
 * a group of the client's methods.
 */
function ownerOf({ project: { ts }, source }: FileContext, { callee, on }: Pick<Call, "callee" | "on">) {
  let owner: ts.Expression = callee;
  let dot = ".";
  let depth = on.is === "client" ? on.path.split(".").length : 1;
  for (; depth > 0 && ts.isPropertyAccessExpression(owner); depth -= 1) {
    dot = source.text.slice(owner.expression.end, owner.name.getStart());
    owner = owner.expression;
  }
  return { owner, dot, isWhole: depth === 0 };
}

/** Whether a call names the client itself, and not only a group of its methods that was put into a variable. */
export function hasClient(file: FileContext, call: Call): boolean {
  return ownerOf(file, call).isWhole;
}

/** The client or value of a method with the dot. */
export function ownerText(file: FileContext, call: Pick<Call, "callee" | "on">): string {
  const { owner, dot } = ownerOf(file, call);
  return file.print(owner) + dot;
}

function fill(file: FileContext, call: Call, template: string): string | undefined {
  const values = new Map<string, string>();
  let isIncomplete = false;
  const open = template.replace(PLACEHOLDER, (whole, spread, name, key, without) => {
    const isNamed = whole.includes("!");
    const value = argumentText(file, call, { spread, name, key: isNamed ? undefined : key, without });
    if (value === undefined) isIncomplete = true;
    if (value === undefined || value === "") return spread ? `...${ABSENT}` : ABSENT;
    const id = `\x01${values.size}\x02`;
    values.set(id, value);
    return isNamed ? `${id}.${key}` : id;
  });
  if (isIncomplete) return undefined;
  let closed = withoutAbsent(open);
  // First those with separate lines: around them, there is only the template's text.
  const ordered = [...values].sort(([, a], [, b]) => Number(b.startsWith("\n")) - Number(a.startsWith("\n")));
  for (const [id, value] of ordered) closed = put(closed, id, value);
  return closed.replace(FUNCTIONS, (name) => file.need(name, NEEDED[name] ?? ""));
}

/** Puts a value into its place. Fields that had separate lines keep them. */
function put(text: string, id: string, value: string): string {
  if (!value.startsWith("\n")) {
    return text
      .replace(new RegExp(`(\\w+): ${id}`), (field, key) => (key === value ? key : field))
      .replace(id, () => value);
  }
  const [, indent = "", fields = "", close = ""] = /^(\s*)([\s\S]*?)(\s*)$/.exec(value) ?? [];
  const braces = new RegExp(`\\{ ([^{}]*?)(?:, )?${id} \\}`);
  if (!braces.test(text)) return text.replace(id, () => fields);
  return text.replace(braces, (_, head: string) => {
    const lines = [...head.split(", ").filter((field) => field !== ""), fields];
    return `{${lines.map((line) => `${indent}${line},`).join("")}${close}}`;
  });
}

/** Removes what isn't passed, with what belongs to it. */
function withoutAbsent(template: string): string {
  let text = template;
  for (let before = ""; before !== text; ) {
    before = text;
    text = text
      .replace(new RegExp(`(?:"?[\\w-]+"?: |\\.\\.\\.)${ABSENT}(?:, )?`, "g"), "")
      .replace(/, *(?=\})/g, " ")
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
  const { project } = file;
  const { ts } = project;
  if (name === "absent") return "";
  if (name === "client") return clientText(file, call);
  if (name === "self") return file.print(call.callee.expression);
  if (name === "adapter") return adapterText(file, call);
  const argument = argumentOf(ts, call.node, call.method.parameters.indexOf(name));
  if (!argument) return "";
  const literal = ts.isObjectLiteralExpression(argument) ? argument : undefined;
  if (key !== undefined) {
    const value = literal && propertyOf(project, literal, key);
    return literal ? (value ? file.print(value) : "") : `${file.print(argument)}.${key}`;
  }
  if (without !== undefined) {
    if (!literal) {
      file.todo(`pass an object without ${without} here: it is a separate argument now. #from-another-client`);
      return file.print(argument);
    }
    const others = literal.properties.filter((property) => property.name?.getText() !== without);
    return others.length === 0 ? "" : `{ ${others.map((property) => file.print(property)).join(", ")} }`;
  }
  if (!spread) return file.print(argument);
  if (!literal) return `...${file.print(argument)}`;
  const inner = printFields(file, literal, file.marks.get(literal) ?? "untouched").slice(1, -1);
  return inner.includes("\n") ? inner.replace(/,(?=\s*$)/, "") : inner.trim().replace(/,$/, "");
}

/** The client for a call on one of its values, if exactly one is in reach. */
function clientText(file: FileContext, { callee, on, node }: Call): string | undefined {
  const { ts, checker, kinds } = file.project;
  if (on.is === "client") return ownerText(file, { callee, on }).replace(/\s*\??\.\s*$/, "");
  if (on.shape === "session") return file.print(callee.expression);
  const isClient = (symbol: ts.Symbol) => {
    const [declaration] = symbol.declarations ?? [];
    if (!declaration || declaration.getSourceFile().isDeclarationFile) return false;
    const kind = kinds.ofType(checker.getTypeOfSymbolAtLocation(symbol, node));
    return kind?.is === "client" && kind.path === "";
  };
  const inScope = checker.getSymbolsInScope(node, ts.SymbolFlags.Value | ts.SymbolFlags.Alias).filter(isClient);
  const owner = ts.findAncestor(node, ts.isClassLike);
  const fields = owner ? checker.getTypeAtLocation(owner).getProperties().filter(isClient) : [];
  const found = [...inScope.map(({ name }) => name), ...fields.map(({ name }) => `this.${name}`)];
  if (found.length === 1) return found[0];
  file.todo(
    "svc.connectedAccounts.waitUntilActive does this; no client, or more than one, is in reach here. #from-another-client",
  );
  return undefined;
}

function adapterText(file: FileContext, { on }: Call): string {
  const adapter = ADAPTERS[on.provider ?? DEFAULT_ADAPTER];
  return adapter ? file.need(adapter.name, `svc-sdk/agents/${adapter.entry}`) : "";
}

/** Completes the call of an adapter, which returns the tools themselves or an object with them. */
export function finishAdapter(file: FileContext, text: string, { on }: Call): string {
  const { given, property } = ADAPTERS[on.provider ?? DEFAULT_ADAPTER] ?? {};
  const passed = given ? text.replace(/\)$/, `, { ${file.need(...given)} })`) : text;
  return property === undefined ? passed : `${passed}.${property}`;
}
