// Writes src/cli/call/summaries.ts: the first sentence of the doc of each method that `svc-sdk call` can call.
//
//   node scripts/call-summaries.ts [--check]
import { globSync, readFileSync, writeFileSync } from "node:fs";
import ts from "typescript";

const FILE = "src/cli/call/summaries.ts";

const parsed = (path: string) => ts.createSourceFile(path, readFileSync(path, "utf8"), ts.ScriptTarget.Latest, true);
const classes = (path: string) => parsed(path).statements.filter(ts.isClassDeclaration);

/** The start of the names of a class's methods. */
const prefixes = new Map<string, string>(
  classes("src/svc.ts").flatMap(({ members }) =>
    members
      .filter(ts.isPropertyDeclaration)
      .map(({ name, type }) => [type?.getText() ?? "", `${name.getText()}.`] as const),
  ),
);
// Operations of sessions and their files.
prefixes.set("ToolRouterSessionHandle", "toolRouter.");
prefixes.set("ToolRouterMount", "toolRouter.mount");

const nameOf = (prefix: string, method: string) =>
  prefix + (prefix.endsWith(".") ? method : method.charAt(0).toUpperCase() + method.slice(1));

/** Not `[Symbol.asyncDispose]`. */
const isNamedMethod = (member: ts.ClassElement): member is ts.MethodDeclaration =>
  ts.isMethodDeclaration(member) && ts.isIdentifier(member.name);

const summaries = globSync("src/resources/*/*.ts")
  .sort()
  .flatMap(classes)
  .flatMap(({ name, members }) => {
    const prefix = prefixes.get(name?.text ?? "");
    if (prefix === undefined) return [];
    return members.filter(isNamedMethod).flatMap((method): [string, string][] => {
      const [doc] = ts.getJSDocCommentsAndTags(method).filter(ts.isJSDoc);
      const text = ts.getTextOfJSDocComment(doc?.comment)?.replaceAll(/\{@link (\w+)\}/g, "$1") ?? "";
      const [sentence = ""] = /^.+?[.:](?= |$)/.exec(text.replaceAll(/\s+/g, " ")) ?? [];
      return sentence === "" ? [] : [[nameOf(prefix, method.name.getText()), sentence.replace(/[.:]$/, "")]];
    });
  });

/** The operations that several methods send, and that a shell can call by their own names. */
const SENT_BY_SEVERAL: readonly [string, string][] = [
  ["authConfigs.setStatus", "Enables or disables an auth config"],
  ["connectedAccounts.setStatus", "Enables or disables a connected account"],
  ["triggers.setStatus", "Enables or disables a trigger instance"],
];

/** As Biome formats it. */
const WIDTH = 120;
const lines = [...new Map([...summaries, ...SENT_BY_SEVERAL])].sort().map(([name, summary]) => {
  const [key, value] = [JSON.stringify(name), JSON.stringify(summary)];
  const line = `  ${key}: ${value},\n`;
  return line.length <= WIDTH ? line : `  ${key}:\n    ${value},\n`;
});
const written = `// Written by scripts/call-summaries.ts from the docs of the methods.

/** The effect of each method, by its name. */
export const SUMMARIES: Readonly<Record<string, string>> = {
${lines.join("")}};
`;

if (!process.argv.includes("--check")) writeFileSync(FILE, written);
else if (readFileSync(FILE, "utf8") !== written) {
  console.error(`${FILE} is outdated: run npm run write.`);
  process.exitCode = 1;
}
