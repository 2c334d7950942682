import { readdirSync, readFileSync } from "node:fs";
import type { CredentialKind } from "../../src/client/endpoint.js";
import { type OperationName, operations } from "../../src/contract/index.js";
import { OMITTED, REASONS } from "./inventory.js";

/** The operations whose methods have other names. */
const METHODS: Readonly<Partial<Record<OperationName, readonly string[]>>> = {
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
export function methodsOf(name: OperationName): readonly string[] {
  return METHODS[name] ?? [name.startsWith("toolRouter.") ? name.replace("toolRouter", "session") : `svc.${name}`];
}

/** The areas of the client, in the order of the alphabet. */
const areas = [...new Set(operations.map(({ endpoint }) => endpoint.name.split(".")[0] ?? ""))].toSorted();

/** The table of an area, as `docs/operations.md` shows it. */
function tableOf(area: string): string {
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
export function withTables(page: string): string {
  return areas.reduce((text, area) => {
    const [heading, table] = [`\n## \`svc.${area}\`\n`, /\n\| Method \|.*\n(?:\|.*\n)*|(?=\n## |$)/];
    const [before, after] = text.split(heading);
    if (before === undefined || after === undefined) throw new Error(`docs/operations.md lacks ## \`svc.${area}\`.`);
    return before + heading + after.replace(table, () => `\n${tableOf(area)}\n`);
  }, page);
}

/** The module of the type whose members are the operations, by area. */
export function faultOperations(): string {
  const members = areas.map((area) => {
    const names = operations.flatMap(({ endpoint: { name } }) => {
      const [of, method] = name.split(".");
      return of === area ? [`"${method}"`] : [];
    });
    return names.length === 1 ? `"${area}.${names[0]?.slice(1)}` : `\`${area}.\${${names.join(" | ")}}\``;
  });
  return `// Written by npx vitest run test/contract -u, so that users' compilers don't read the contract.
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
export function omittedTable(): string {
  const rows = Object.entries(REASONS).map(([reason, text]) => {
    const requests = OMITTED.filter(([, , given]) => given === reason).map(([method, path]) => `${method} \`${path}\``);
    return `| ${requests.join(", ")} | ${text} |`;
  });
  return ["| Request | Why |", "|---|---|", ...rows].join("\n");
}

/** The table of the fields that the types mark as replaced, as `docs/terminology.md` shows it. */
export function oldSpellings(): string {
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
