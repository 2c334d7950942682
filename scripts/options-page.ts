// Writes docs/options.md: every option of the client, from the table that checks them and from their JSDoc, and those
// of the functions in scripts/option-sections.ts, from their JSDoc. test/docs-options.test.ts fails if it has to run
// again.
//
//   node scripts/options-page.ts
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { type OptionSection, SECTIONS } from "./option-sections.ts";
import { sourceModule } from "./source-module.ts";

/** One option's row in the table. */
interface Row {
  readonly kind: string;
  readonly least?: number;
  readonly most?: number;
  readonly values?: readonly unknown[];
  readonly default?: unknown;
}

/** A field of an interface. */
interface Field {
  readonly name: string;
  readonly isRequired: boolean;
  readonly doc: string;
  readonly default: string;
}

/** A file's declaration of an interface or a type. */
function declarationOf(file: string, name: string): ts.InterfaceDeclaration | ts.TypeAliasDeclaration {
  const path = fileURLToPath(new URL(`../src/${file}`, import.meta.url));
  const source = ts.createSourceFile(path, readFileSync(path, "utf8"), ts.ScriptTarget.Latest, true);
  const found = source.statements
    .filter((statement) => ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement))
    .find((statement) => statement.name.text === name);
  if (!found) throw new Error(`src/${file} has no interface ${name}.`);
  return found;
}

/** The fields that an interface declares, without those that it extends. */
function fieldsOf(file: string, name: string): Field[] {
  const declaration = declarationOf(file, name);
  if (ts.isTypeAliasDeclaration(declaration)) return [];
  return declaration.members
    .filter((member) => ts.isPropertySignature(member) || ts.isMethodSignature(member))
    .map((member) => {
      const tag = ts.getJSDocTags(member).find(({ tagName }) => tagName.text === "default");
      return {
        name: `${member.name.getText()}${ts.isMethodSignature(member) ? "()" : ""}`,
        isRequired: member.questionToken === undefined,
        doc: docOf(member),
        default: plainText(ts.getTextOfJSDocComment(tag?.comment)),
      };
    });
}

/** The rules that apply to all fields: an interface's doc after its first sentence, which names the fields. */
function rulesOf(file: string, name: string): string {
  return docOf(declarationOf(file, name)).replace(/^.*?\.( |$)/, "");
}

function docOf(node: ts.Node): string {
  const [doc] = ts.getJSDocCommentsAndTags(node);
  return plainText(ts.getTextOfJSDocComment(doc?.comment));
}

const plainText = (text = "") =>
  text
    .replace(/\n+- /g, "<br>")
    .replace(/\s+/g, " ")
    .replace(/\{@link ([\w.]+)\}/g, "`$1`");

function section({ heading, intro, interfaces, isResult, guides = {} }: OptionSection): string {
  const fields = interfaces.flatMap(([file, name]) => fieldsOf(file, name));
  const paragraphs = [intro, ...interfaces.map(([file, name]) => rulesOf(file, name))].filter((text) => text !== "");
  const unknown = Object.keys(guides).filter((name) => !fields.some((field) => field.name === name));
  if (unknown.length > 0) throw new Error(`${heading} has no option ${unknown.join(", ")}.`);
  const rows = fields.map(({ name, isRequired, doc, default: value }) => {
    const guide = guides[name];
    const shown = guide === undefined ? `\`${name}\`` : `[\`${name}\`](${guide})`;
    const isCode = /^([\w."{}[\]]+(\(\))?)$/.test(value) && (/^(true|false)$/.test(value) || !/^[a-z]+$/.test(value));
    const cells = isResult ? [] : [isRequired ? "required" : isCode ? `\`${value}\`` : value];
    return `| ${[shown, ...cells, doc.replaceAll("|", "\\|")].join(" | ")} |`;
  });
  return `## ${heading}

${paragraphs.join("\n\n")}

${isResult ? "| Field | |\n|---|---|" : "| Option | Default | |\n|---|---|---|"}
${rows.join("\n")}
`;
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

/** The page, for the options of the client. */
export function optionsPage(options: Readonly<Record<string, Row>>): string {
  const docs = new Map(fieldsOf("client/options/options.ts", "SvcOptions").map(({ name, doc }) => [name, doc]));
  const rows = Object.entries(options).map(
    ([name, row]) => `| \`${name}\` | ${allowed(row)} | ${shownDefault(row.default)} | ${docs.get(name) ?? ""} |`,
  );
  return `# Options and results

The options of the client, of toolsets and their rules and approvals, of webhook receivers and of the emulator, and the fields of
a toolset's results. The API reference has the options of every other function.

## Client

\`new Svc({ … })\`. Options override environment variables. Unknown options, and values that aren't allowed, are a \`ConfigError\`
that lists every problem. Calls take \`signal\`, \`timeoutMs\`, \`deadlineMs\`, \`maxRetries\`, \`headers\` and \`priority\`.

| Option | Allowed | Default | |
|---|---|---|---|
${rows.join("\n")}

${SECTIONS.map(section).join("\n")}`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { OPTIONS } =
    await sourceModule<typeof import("../src/client/options/checks.js")>("src/client/options/checks.ts");
  writeFileSync("docs/options.md", optionsPage(OPTIONS));
}
