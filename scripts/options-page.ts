// The text of docs/options.md: every option of the client, from the table that checks them and from their JSDoc.
// `node scripts/options-page.ts` prints it; a test compares it with the page.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import ts from "typescript";

/** One option's row in the table. */
interface Row {
  readonly kind: string;
  readonly least?: number;
  readonly most?: number;
  readonly values?: readonly unknown[];
  readonly default?: unknown;
  readonly variable?: string | undefined;
}

/** The first sentence of each field's doc in `SvcOptions`. */
function sentences(): Map<string, string> {
  const path = fileURLToPath(new URL("../src/client/options/options.ts", import.meta.url));
  const source = ts.createSourceFile(path, readFileSync(path, "utf8"), ts.ScriptTarget.Latest, true);
  const fields = source.statements
    .filter((statement) => ts.isInterfaceDeclaration(statement))
    .filter(({ name }) => name.text === "SvcOptions")
    .flatMap(({ members }) => members.filter((member) => ts.isPropertySignature(member)));
  return new Map(
    fields.map((member) => {
      const [doc] = ts.getJSDocCommentsAndTags(member);
      const text = ts.getTextOfJSDocComment(doc?.comment) ?? "";
      const plain = text.replace(/\s+/g, " ").replace(/\{@link (\w+)\}/g, "`$1`");
      return [member.name.getText(), plain.match(/^.*?[.:](?= [A-Z]|$)/)?.[0] ?? plain];
    }),
  );
}

function allowed({ kind, least, most, values }: Row): string {
  if (values) return values.map((value) => `\`${JSON.stringify(value)}\``).join(", ");
  if (kind !== "number") return kind;
  const upper = most === Number.MAX_SAFE_INTEGER ? "" : ` to ${most?.toLocaleString("en-US")}`;
  return `${least}${upper || " or more"}`;
}

function shownDefault(value: unknown): string {
  if (value === undefined) return "";
  return `\`${typeof value === "number" ? value.toLocaleString("en-US").replaceAll(",", "_") : JSON.stringify(value)}\``;
}

/** The page, for a table of options. */
export function optionsPage(table: Readonly<Record<string, Row>>): string {
  const docs = sentences();
  const rows = Object.entries(table).map(([name, row]) => {
    const variable = row.variable === undefined ? "" : `\`${row.variable}\``;
    return `| \`${name}\` | ${allowed(row)} | ${shownDefault(row.default)} | ${variable} | ${docs.get(name) ?? ""} |`;
  });
  return `# Options of the client

\`new Svc({ … })\`. Options override environment variables. Unknown options, and values that aren't allowed, are a \`ConfigError\`
that lists every problem. Calls take \`signal\`, \`timeoutMs\`, \`deadlineMs\`, \`maxRetries\`, \`headers\` and \`priority\`.

| Option | Allowed | Default | Variable | |
|---|---|---|---|---|
${rows.join("\n")}
`;
}
