import type ts from "typescript";
import { FIELD_TABLES, type FieldTable, type FieldTableName, OPAQUE, READ, type Shape } from "./names.js";
import type { FileContext } from "./project.js";

/** The API's name of a field. */
function snakeCase(name: string): string {
  return name.replace(/[A-Z]+/g, (capitals) => `_${capitals.toLowerCase()}`);
}

/** The path by which a field of a value is read: empty for the value itself, `undefined` if it has no such field. */
export function readAs(shape: Shape, name: string): string | undefined {
  const fields: Readonly<Record<string, string>> = READ[shape];
  const known = Object.hasOwn(fields, name) ? fields[name]?.replace(/^=.*/, "") : undefined;
  if (known !== undefined || shape.startsWith("event")) return known;
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
      gap = after.replace(/^,/, gap.startsWith(",") && after.includes("\n") ? "," : "");
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
    return hasVersion || !givesVersion(file, property) ? undefined : 'version: "latest"';
  }
  const name = listed ?? snakeCase(old);
  if (ts.isShorthandPropertyAssignment(property)) {
    const local = file.print(property.name);
    return name === local ? name : `${name}: ${local}`;
  }
  if (!ts.isPropertyAssignment(property)) return file.print(property);
  const between = file.source.text.slice(key.end, property.initializer.getStart());
  const special = tableName === "session" ? sessionValue(file, old, property.initializer) : undefined;
  const value =
    special ??
    withLowerSlugs(file, old, property.initializer) ??
    printValue(file, old, property.initializer, tableName);
  if (name !== old && name === value) return name;
  return `${name === old ? key.getText() : name}${between}${value}`;
}

/** Whether a call has a tool's version because of this field of its body. */
export function givesVersion({ project: { ts } }: FileContext, property: ts.ObjectLiteralElementLike): boolean {
  if (property.name?.getText() !== "dangerouslySkipVersionCheck") return property.name?.getText() === "version";
  return !ts.isPropertyAssignment(property) || property.initializer.kind !== ts.SyntaxKind.FalseKeyword;
}

/** A value of literals with slugs of toolkits in lower case, as the service has them; `undefined` for other values. */
function withLowerSlugs({ project: { ts } }: FileContext, key: string, value: ts.Expression): string | undefined {
  const lower = (slug: string) => slug.toLowerCase();
  const isPlain = (node: ts.Node) => ts.isStringLiteral(node) || ts.isIdentifier(node);
  if (key === "toolkitVersions" && ts.isObjectLiteralExpression(value)) {
    const isTable = value.properties.every((each) => ts.isPropertyAssignment(each) && isPlain(each.initializer));
    return isTable ? value.getText().replace(/\w+(?=["']?\s*:)/g, lower) : undefined;
  }
  if (!/^toolkits?(_?slugs?)?$/i.test(key)) return undefined;
  if (ts.isStringLiteral(value)) return lower(value.getText());
  const isList = ts.isArrayLiteralExpression(value) && value.elements.every(isPlain);
  return isList ? value.getText().replace(/(["']).*?\1/g, lower) : undefined;
}

function printValue(file: FileContext, key: string, value: ts.Expression, table: FieldTableName): string {
  const { ts } = file.project;
  const isDeep = (table === "body" || table === "session") && !OPAQUE.has(key);
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
  if (key === "toolkits" && ts.isArrayLiteralExpression(value))
    return `{ enable: ${withLowerSlugs(file, key, value) ?? file.print(value)} }`;
  if (key === "manageConnections" && isFlag) return `{ enable: ${value.getText()} }`;
  if (key !== "tools" || !ts.isObjectLiteralExpression(value)) return undefined;
  const tools = value.properties.map((property) => {
    if (!ts.isPropertyAssignment(property) || !ts.isArrayLiteralExpression(property.initializer))
      return file.print(property);
    return `${property.name.getText()}: { enable: ${file.print(property.initializer)} }`;
  });
  return `{ ${tools.join(", ")} }`;
}
