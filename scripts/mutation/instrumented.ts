// The sources of the protocols with all of their mutants in them.
import { readFileSync } from "node:fs";

export interface Mutant {
  readonly id: string;
  readonly fileName: string;
  readonly mutatorName: string;
  readonly replacement: string;
  readonly location: { readonly start: Position; readonly end: Position };
  readonly status?: string;
}
interface Position {
  /** From 0. */
  readonly line: number;
  readonly column: number;
}

/** A node of a syntax tree of Babel, as far as the rules below read it. */
interface Node {
  readonly type: string;
  readonly name?: string;
  readonly callee?: Node;
  readonly property?: Node;
  readonly typeAnnotation?: unknown;
  readonly consequent?: Node;
  readonly argument?: Node;
  readonly expression?: Node;
  readonly body?: readonly Node[];
  readonly computed?: boolean;
  readonly properties?: readonly Node[];
}
interface NodePath {
  readonly node: Node;
}
interface Tool {
  readonly Instrumenter: new (
    logger: object,
  ) => {
    instrument(
      files: readonly { name: string; content: string; mutate: boolean }[],
      options: {
        plugins: null;
        excludedMutations: readonly string[];
        ignorers: readonly { shouldIgnore(path: NodePath): string | undefined }[];
      },
    ): Promise<{ files: readonly { name: string; content: string }[]; mutants: readonly Mutant[] }>;
  };
}

/** The words of messages, and names. */
const EXCLUDED = ["StringLiteral", "Regex"];
/** Functions that tell the log, listeners and the inspector, and decide nothing. */
const TELLING = ["emit", "report", "tell", "warn"];

const nameOf = (node: Node | undefined) => node?.name ?? node?.property?.name ?? "";
const isError = (node: Node | undefined) => node?.type === "NewExpression" && /Error$/.test(nameOf(node.callee));
const isConfigError = (node: Node | undefined) => isError(node) && nameOf(node?.callee) === "ConfigError";

/** Whether a statement does nothing but reject a program that is written wrong. */
function rejectsProgram(statement: Node | undefined): boolean {
  const [only, ...others] = statement?.type === "BlockStatement" ? (statement.body ?? []) : [statement];
  return others.length === 0 && only?.type === "ThrowStatement" && isConfigError(only.argument);
}

/** Whether a pattern has a computed key. The tool would hide its names in a block. */
const hasComputedKey = ({ type, properties = [] }: Node) =>
  type === "ObjectPattern" && properties.some(({ computed }) => computed);

/** The rules for code that isn't part of a protocol, or can't be changed, each with its name. */
const OUTSIDE: readonly (readonly [string, (node: Node) => boolean])[] = [
  ["messages of errors", isError],
  ["telling", ({ type, callee }) => /^(Optional)?CallExpression$/.test(type) && TELLING.includes(nameOf(callee))],
  [
    "tables of options",
    ({ type, typeAnnotation }) => {
      return type === "TSSatisfiesExpression" && JSON.stringify(typeAnnotation).includes('"Rules"');
    },
  ],
  ["computed keys", hasComputedKey],
  ["checks of calls", ({ type, callee }) => type === "CallExpression" && /^ensure/.test(nameOf(callee))],
  ["checks of options", ({ type, consequent }) => type === "IfStatement" && rejectsProgram(consequent)],
];

const ignorer = {
  shouldIgnore: ({ node }: NodePath) => OUTSIDE.find(([, isOutside]) => isOutside(node))?.[0],
};

/** `npm run mutants` has installed it. */
const TOOL = "./node_modules/@stryker-mutator/instrumenter/dist/src/index.js";

/** The sources, each with all of its mutants in it. A thread's environment chooses the one that is active. */
export async function instrumented(files: readonly string[]) {
  const { Instrumenter }: Tool = await import(TOOL);
  const silent = { isDebugEnabled: () => false, debug: () => {}, info: () => {}, warn: () => {} };
  const sources = files.map((name) => ({ name, content: readFileSync(name, "utf8"), mutate: true }));
  const options = { plugins: null, excludedMutations: EXCLUDED, ignorers: [ignorer] } as const;
  const { files: changed, mutants } = await new Instrumenter(silent).instrument(sources, options);
  const contents = Object.fromEntries(changed.map(({ name, content }) => [name, content]));
  return { mutants: mutants.filter(({ status }) => status !== "Ignored"), contents };
}

/** The code that a mutant replaces, on one line. */
export function originalOf({ fileName, location: { start, end } }: Mutant): string {
  const lines = readFileSync(fileName, "utf8")
    .split("\n")
    .slice(start.line, end.line + 1);
  const last = lines.length - 1;
  lines[last] = (lines[last] ?? "").slice(0, end.column);
  lines[0] = (lines[0] ?? "").slice(start.column);
  return onOneLine(lines.join("\n"));
}

/** The line on which a mutant starts. */
export const lineOf = ({ fileName, location }: Mutant): string =>
  readFileSync(fileName, "utf8").split("\n")[location.start.line] ?? "";

export const onOneLine = (text: string) => text.replaceAll(/\s+/g, " ");
