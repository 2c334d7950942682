// Writes what follows from the contract: the tables of docs/operations.md, the old spellings of docs/terminology.md, and
// src/emulator/engine/fault-operation.ts. test/contract/operations-page.test.ts fails if it has to run again.
//
//   node scripts/operations-page.ts
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type * as contract from "../src/contract/index.js";
import type { CredentialKind } from "../src/shared/credentials.js";
import { OMITTED, REASONS } from "../test/contract/omitted.ts";
import { sourceModule } from "./source-module.ts";

type Operations = typeof contract.operations;

/** The operations whose methods have other names. */
const METHODS: Readonly<Partial<Record<contract.OperationName, readonly string[]>>> = {
  "authConfigs.setStatus": ["svc.authConfigs.enable", "svc.authConfigs.disable"],
  "connectedAccounts.setStatus": ["svc.connectedAccounts.enable", "svc.connectedAccounts.disable"],
  "triggers.setStatus": ["svc.triggers.enable", "svc.triggers.disable"],
  "toolRouter.create": ["svc.toolRouter.create"],
  "toolRouter.get": ["svc.toolRouter.get", "session.get"],
  "toolRouter.mountItems": ["session.mounts().items"],
  "toolRouter.mountUploadUrl": ["session.mounts().uploadUrl"],
  "toolRouter.mountDownloadUrl": ["session.mounts().downloadUrl"],
  "toolRouter.mountDelete": ["session.mounts().delete"],
};

const KEYS: Readonly<Record<CredentialKind, string>> = {
  apiKey: "project",
  userApiKey: "user",
  orgApiKey: "organization",
  sessionCookie: "cookie",
};

/** The methods that send an operation, as a reader writes them. */
export function methodsOf(name: contract.OperationName): readonly string[] {
  return METHODS[name] ?? [name.startsWith("toolRouter.") ? name.replace("toolRouter", "session") : `svc.${name}`];
}

/** The areas of the client, in the order of the alphabet. */
const areasOf = (operations: Operations) =>
  [...new Set(operations.map(({ endpoint }) => endpoint.name.split(".")[0] ?? ""))].toSorted();

/** The table of an area, as `docs/operations.md` shows it. */
function tableOf(operations: Operations, area: string): string {
  const rows = operations
    .filter(({ endpoint }) => endpoint.name.startsWith(`${area}.`))
    .map(({ endpoint: { name, method, path, auth, retry } }) => {
      const methods = methodsOf(name).map((one) => `\`${one}\``);
      const keys = auth.map((kind) => KEYS[kind]);
      const request = `${method} \`${path.replace("/api/{apiVersion}", "")}\``;
      return `| ${methods.join(", ")} | ${request} | ${keys.join(", ") || "none"} | ${retry} |`;
    });
  return ["| Method | Request | Key | Retry |", "|---|---|---|---|", ...rows.toSorted(byText)].join("\n");
}

/** The page with the tables of the contract. @throws if an area has no heading yet. */
export function operationsPage(page: string, operations: Operations): string {
  const withAreas = areasOf(operations).reduce(
    (text, area) => withTable(text, `## \`svc.${area}\``, tableOf(operations, area)),
    page,
  );
  return withTable(withAreas, "## Omitted operations", omittedTable());
}

/** The page of terms with the fields that the types mark as replaced. */
export function termsPage(page: string): string {
  return withTable(page, "## Old spellings", oldSpellings());
}

/** A page with another table as the first one below a heading. */
function withTable(page: string, heading: string, table: string): string {
  const [before, after] = page.split(`\n${heading}\n`);
  if (before === undefined || after === undefined) throw new Error(`The page lacks the heading ${heading}.`);
  return `${before}\n${heading}\n${after.replace(/\n\|.*\n(?:\|.*\n)*|(?=\n## |$)/, () => `\n${table}\n`)}`;
}

/** The module of the type whose members are the operations, by area. */
export function faultOperations(operations: Operations): string {
  const members = areasOf(operations).map((area) => {
    const names = operations.flatMap(({ endpoint: { name } }) => {
      const [of, method] = name.split(".");
      return of === area ? [`"${method}"`] : [];
    });
    return names.length === 1 ? `"${area}.${names[0]?.slice(1)}` : `\`${area}.\${${names.join(" | ")}}\``;
  });
  return `// Written by node scripts/operations-page.ts, so that users' compilers don't read the contract.
/** The operation whose requests get a fault, or \`*\` for all. */
export type FaultOperation =
  | "*"
${members.map((member) => `  | ${member}`).join("\n")};
`;
}

/** `create` before `createCustom`: compares words without the quotes around them. */
function byText(one: string, other: string): number {
  return one.replaceAll("`", "") < other.replaceAll("`", "") ? -1 : 1;
}

/** The table of the omitted operations. */
function omittedTable(): string {
  const rows = Object.entries(REASONS).map(([reason, text]) => {
    const requests = OMITTED.filter(([, , given]) => given === reason).map(([method, path]) => `${method} \`${path}\``);
    return `| ${requests.join(", ")} | ${text} |`;
  });
  return ["| Request | Why |", "|---|---|", ...rows].join("\n");
}

/** The table of the fields that the types mark as replaced, as `docs/terminology.md` shows it. */
function oldSpellings(): string {
  const marked = readdirSync("src/resources", { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith("schema.ts"))
    .flatMap((path) => {
      const area = path.split(/[\\/]/)[0]?.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
      const fields = readFileSync(`src/resources/${path}`, "utf8").matchAll(REPLACED);
      return [...fields].map(([, current, old]) => `| \`svc.${area}\` | \`${old}\` | \`${current}\` |`);
    });
  return ["| Where | Old | Current |", "|---|---|---|", ...[...new Set(marked)].toSorted(byText)].join("\n");
}

/** A doc that names the replacement, and the field below it. */
const REPLACED = /@deprecated (?:[^*]*[;.] )?[Uu]se `([\w.]+)`[^*]*\*\/\s+(\w+)[:,]/g;

/** Changes a file that exists. */
function rewrite(path: string, change: (text: string) => string): void {
  writeFileSync(path, change(readFileSync(path, "utf8")));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { operations } = await sourceModule<typeof contract>("src/contract/index.ts");
  rewrite("docs/operations.md", (page) => operationsPage(page, operations));
  rewrite("docs/terminology.md", termsPage);
  rewrite("src/emulator/engine/fault-operation.ts", () => faultOperations(operations));
}
