import type ts from "typescript";
import type { FileContext } from "./file-context.js";
import { OPAQUE } from "./kind.js";
import type { Shape } from "./method-table.js";
import { CALL_OPTIONS, FIELDS, OPTIONS } from "./names.js";

/**
 * Names of the fields of objects that are passed: the new name, an empty string for a field that is removed, or `!` and a reason.
 * A field that isn't in its table is unknown, or has the API's name if `isOpen`.
 */
interface FieldTable {
  readonly names: Readonly<Record<string, string>>;
  readonly isOpen: boolean;
}

const BODY: Readonly<Record<string, string>> = {
  allowMultiple: "",
  authScheme: "authScheme",
  dangerouslySkipVersionCheck: "version",
  in: "type",
  isComposioManaged: "is_svc_managed",
  toolkit: "toolkit_slug",
};

/** The tables by the name that a template or the kind of argument gives them. */
export const FIELD_TABLES = {
  options: { names: OPTIONS, isOpen: false },
  callOptions: { names: CALL_OPTIONS, isOpen: false },
  body: { names: BODY, isOpen: true },
  untouched: { names: { "*": "*" }, isOpen: true },
  session: {
    names: {
      experimental: "!custom tools are tools of a toolset, next to the session's. #tools-for-models",
      mcp: "",
      sandbox: "workbench",
      sessionPreset: "!preload: { tools } shows tools directly. #from-another-client",
      waitForConnections: "enable_wait_for_connections",
    },
    isOpen: true,
  },
  toolset: {
    names: { limit: "limit", search: "search", tags: "tags", toolkits: "toolkits", tools: "tools" },
    isOpen: false,
  },
  subscription: { names: {}, isOpen: true },
  verification: { names: { verifySecret: "secret", tolerance: "toleranceSeconds" }, isOpen: false },
} as const satisfies Readonly<Record<string, FieldTable>>;

/** The name of a table. */
export type FieldTableName = keyof typeof FIELD_TABLES;

/** Names of the fields that are read from values. A path reads a field of a field. */
const READ: Readonly<Record<Shape, Readonly<Record<string, string>>>> = {
  record: { isNoAuth: "no_auth", isComposioManaged: "is_svc_managed" },
  session: { sessionId: "id" },
  sessionRecord: { session_id: "id", mcp: "mcp" },
  connection: { id: "connected_account_id", redirectUrl: "redirect_url" },
  createdAuthConfig: {
    id: "auth_config.id",
    authScheme: "auth_config.auth_scheme",
    isComposioManaged: "auth_config.is_svc_managed",
    toolkit: "toolkit.slug",
  },
  event: {},
  eventPayload: {
    id: "triggerId",
    uuid: "legacyTriggerId",
    triggerSlug: "triggerSlug",
    userId: "userId",
    payload: "payload",
  },
  response: { response: "meta" },
};

/** The API's name of a field. */
export function snakeCase(name: string): string {
  return name.replace(/[A-Z]+/g, (capitals) => `_${capitals.toLowerCase()}`);
}

/** The path by which a field of a value is read; `undefined` if it has no such field. */
export function readAs(shape: Shape | "wire", name: string): string | undefined {
  if (shape === "wire") return FIELDS.get(name) ?? name;
  const known = Object.hasOwn(READ[shape], name) ? READ[shape][name] : undefined;
  if (known !== undefined || shape === "eventPayload") return known;
  if (shape === "sessionRecord") return `record.${name}`;
  return shape === "record" ? snakeCase(name) : name;
}

/** Prints an object that is passed, with the fields' new names. */
export function printFields(file: FileContext, node: ts.ObjectLiteralExpression, name: FieldTableName): string {
  if (name === "untouched") return file.printChildren(node);
  const kept: string[] = [];
  const { text } = file.source;
  let gap = text.slice(node.getStart(), node.properties[0]?.getStart() ?? node.end);
  const hasVersion = node.properties.some((property) => property.name?.getText() === "version");
  node.properties.forEach((property, index) => {
    const printed = printField(file, property, name, hasVersion);
    const end = node.properties[index + 1]?.getStart() ?? node.end;
    const after = text.slice(property.end, end);
    if (printed !== undefined) {
      kept.push(gap, printed);
      gap = after;
    } else if (index === node.properties.length - 1) {
      gap =
        kept.length === 0
          ? "{}"
          : after.replace(/^,/, kept.length > 0 && gap.startsWith(",") && /\n/.test(after) ? "," : "");
    }
  });
  if (node.properties.length === 0) return gap;
  if (kept.length === 0) return "{}";
  if (name === "subscription" && !node.properties.some((property) => property.name?.getText() === "enabledEvents")) {
    const [indent = " "] = /\n\s*/.exec(kept[0] ?? "") ?? [];
    kept.push(`,${indent}enabled_events: ["svc.trigger.message"]`);
  }
  return kept.join("") + gap;
}

/** One field; `undefined` if it is removed. */
function printField(
  file: FileContext,
  property: ts.ObjectLiteralElementLike,
  tableName: FieldTableName,
  hasVersion: boolean,
): string | undefined {
  const { ts } = file.project;
  if (ts.isSpreadAssignment(property)) return file.print(property);
  const key = property.name;
  if (!key || ts.isComputedPropertyName(key)) return file.print(property);
  const old = key.text;
  const table: FieldTable = FIELD_TABLES[tableName];
  const listed = Object.hasOwn(table.names, old) ? table.names[old] : undefined;
  if (listed?.startsWith("!")) {
    file.todo(`${old}: ${listed.slice(1)}`);
    return file.print(property);
  }
  if (listed === undefined && !table.isOpen) {
    file.todo(`${old} isn't an option here. #options`);
    return file.print(property);
  }
  if (listed === "") return undefined;
  if (old === "dangerouslySkipVersionCheck") {
    const isOff = ts.isPropertyAssignment(property) && property.initializer.kind === ts.SyntaxKind.FalseKeyword;
    return hasVersion || isOff ? undefined : 'version: "latest"';
  }
  const name = listed ?? snakeCase(old);
  if (ts.isShorthandPropertyAssignment(property)) {
    const local = file.print(property.name);
    return name === local ? name : `${name}: ${local}`;
  }
  if (!ts.isPropertyAssignment(property)) return file.print(property);
  const between = file.source.text.slice(key.end, property.initializer.getStart());
  const special = tableName === "session" ? sessionValue(file, old, property.initializer) : undefined;
  const value = special ?? printValue(file, old, property.initializer, tableName);
  if (name !== old && name === value) return name;
  return `${name === old ? key.getText() : name}${between}${value}`;
}

function printValue(file: FileContext, key: string, value: ts.Expression, table: FieldTableName): string {
  const { ts } = file.project;
  const isDeep = (table === "body" || table === "session") && !OPAQUE.test(key);
  if (!isDeep) return file.print(value);
  if (ts.isObjectLiteralExpression(value)) return printFields(file, value, table);
  if (!ts.isArrayLiteralExpression(value)) return file.print(value);
  for (const element of value.elements) {
    if (ts.isObjectLiteralExpression(element)) file.marks.set(element, table);
  }
  return file.print(value);
}

/** Values of a session's configuration that have other types here. */
function sessionValue(file: FileContext, key: string, value: ts.Expression): string | undefined {
  const { ts } = file.project;
  const isFlag = value.kind === ts.SyntaxKind.TrueKeyword || value.kind === ts.SyntaxKind.FalseKeyword;
  if (key === "toolkits" && ts.isArrayLiteralExpression(value)) return `{ enable: ${file.print(value)} }`;
  if (key === "manageConnections" && isFlag) return `{ enable: ${value.getText()} }`;
  if (key !== "tools" || !ts.isObjectLiteralExpression(value)) return undefined;
  const tools = value.properties.map((property) => {
    if (!ts.isPropertyAssignment(property) || !ts.isArrayLiteralExpression(property.initializer))
      return file.print(property);
    return `${property.name.getText()}: { enable: ${file.print(property.initializer)} }`;
  });
  return `{ ${tools.join(", ")} }`;
}
