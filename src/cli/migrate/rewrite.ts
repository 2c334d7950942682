import type ts from "typescript";
import { type Imports, isTaken, planImports, printNeeded, printReplacement, problemsOf, restOf } from "./imports.js";
import { scan } from "./library-call.js";
import type { FieldTableName } from "./names.js";
import type { FileContext, Project } from "./project.js";
import { replacementOf } from "./replacement.js";

/** Where the guide is in an installed package. */
const GUIDE = "node_modules/svc-sdk/docs/guide/migrating.md";
const MARK = "TODO(svc-sdk)";

/** A file that uses one of the libraries, as it will be. */
export interface Rewritten {
  readonly text: string;
  /** The comments for a person, with their lines. */
  readonly todos: readonly { readonly line: number; readonly reason: string }[];
}

/** Rewrites the files of a program. Files that use neither library aren't in the result. */
export function rewriteFiles(project: Project, files: readonly ts.SourceFile[]): Map<ts.SourceFile, Rewritten> {
  const marks = new Map<ts.Node, FieldTableName>();
  const users = files.filter((source) => scan(project, marks, source));
  return new Map(users.map((source) => [source, new FileRewriter(project, marks, source).rewrite()]));
}

class FileRewriter implements FileContext {
  readonly project: Project;
  readonly source: ts.SourceFile;
  readonly marks: FileContext["marks"];
  readonly localNames: ReadonlyMap<ts.Node, string>;
  readonly dropped: ReadonlySet<ts.Node>;
  readonly #imports: Imports;
  readonly #needed: { readonly from: string; readonly text: string; readonly isType: boolean }[] = [];
  /** Reasons of the statement that is printed. */
  #reasons: Set<string> = new Set();

  constructor(project: Project, marks: FileContext["marks"], source: ts.SourceFile) {
    this.project = project;
    this.marks = marks;
    this.source = source;
    this.#imports = planImports(this);
    this.localNames = this.#imports.localNames;
    this.dropped = this.#imports.dropped;
  }

  rewrite(): Rewritten {
    const { ts } = this.project;
    const { statements, text } = this.source;
    const replaced = this.#imports.statements;
    // Before the imports, because they depend on what the statements need.
    const printed = new Map(statements.filter((one) => !replaced.has(one)).map((one) => [one, this.#statement(one)]));
    const imports = statements.filter(ts.isImportDeclaration);
    const first = imports.find((one) => replaced.has(one));
    const last =
      first ?? imports.at(-1) ?? statements.findLast((one) => /^(const|let|var)\b.*=\s*require\(/.test(one.getText()));
    const isDirective = (one: ts.Statement) => ts.isExpressionStatement(one) && ts.isStringLiteral(one.expression);
    const start = last ? undefined : statements.find((one) => !isDirective(one));
    let out = "";
    let from = 0;
    for (const statement of statements) {
      const lines = this.#linesOf(statement, printed.get(statement), statement === first);
      if (statement === last && !first) lines.push(...printNeeded(this, this.#needed));
      if (statement === start) lines.unshift(...printNeeded(this, this.#needed));
      out += text.slice(from, statement.getStart()) + lines.join("\n");
      from = statement.end;
      if (lines.length === 0) from += /^[ \t]*\r?\n/.exec(text.slice(from))?.[0].length ?? 0;
    }
    const result = out + text.slice(from);
    const isWindows = text.includes("\r\n");
    const whole = isWindows ? result.replace(/\r?\n/g, "\r\n") : result;
    return { text: whole, todos: todosIn(whole) };
  }

  /** The lines of a statement of the file: imports become others, or none. */
  #linesOf(statement: ts.Statement, printed: string | undefined, isFirst: boolean): string[] {
    const replacement = this.#imports.statements.get(statement);
    if (!replacement) return [printed ?? ""];
    const keyword = this.project.ts.isExportDeclaration(statement) ? "export" : "import";
    const lines = printReplacement(this, replacement, keyword, isFirst ? this.#needed : []);
    const comments = this.#comments(statement, problemsOf(replacement));
    // Next to the names that are left.
    const rest = restOf(replacement);
    return rest.length > 0 ? [...lines, ...comments, ...rest] : [...comments, ...lines];
  }

  print(node: ts.Node): string {
    return replacementOf(this, node) ?? this.printChildren(node);
  }

  printChildren(node: ts.Node): string {
    return this.printBetween(node.getStart(), node);
  }

  printBetween(from: number, node: ts.Node): string {
    const { ts } = this.project;
    const { text } = this.source;
    let out = "";
    let position = from;
    ts.forEachChild(node, (child) => {
      const start = child.getStart();
      if (start < position || child.end <= from) return;
      out += text.slice(position, start) + this.#child(child);
      position = child.end;
    });
    return out + text.slice(position, node.end);
  }

  #child(node: ts.Node): string {
    const { ts } = this.project;
    const isStatement = ts.isStatement(node) && !ts.isBlock(node);
    return isStatement || ts.isClassElement(node) ? this.#statement(node) : this.print(node);
  }

  /** A statement, below the comments that it needs. */
  #statement(node: ts.Node): string {
    const outer = this.#reasons;
    this.#reasons = new Set();
    const printed = this.print(node);
    const comments = this.#comments(node, [...this.#reasons]);
    this.#reasons = outer;
    if (comments.length === 0) return printed;
    const { text } = this.source;
    const start = node.getStart();
    const indent = text.slice(text.lastIndexOf("\n", start - 1) + 1, start);
    if (indent.trim() !== "") return comments.map((comment) => `/* ${comment.slice(3)} */ `).join("") + printed;
    return comments.map((comment) => `${comment}\n${indent}`).join("") + printed;
  }

  /** The comments for reasons, except those that are there already. */
  #comments(node: ts.Node, reasons: readonly string[]): string[] {
    const above = this.source.text.slice(node.getFullStart(), node.getStart());
    return (
      reasons
        .map((reason) => reason.split(/ (?=#[\w-]+$)/))
        .map(([what = "", section = ""]) => `// ${MARK}: ${what} See ${GUIDE}${section}`)
        // Below another statement on the same line, a comment is between slashes and stars.
        .filter((comment) => !above.includes(comment.slice(3)))
    );
  }

  todo(reason: string): void {
    this.#reasons.add(reason);
  }

  need(name: string, from: string): string {
    if (isImportedFrom(this, name, from)) return name;
    const local = isTaken(this, name) ? `svc${name[0]?.toUpperCase()}${name.slice(1)}` : name;
    const text = local === name ? name : `${name} as ${local}`;
    if (!this.#needed.some((one) => one.text === text)) this.#needed.push({ from, text, isType: false });
    return local;
  }
}

function isImportedFrom({ project: { ts }, source }: FileContext, name: string, from: string): boolean {
  return source.statements.some(
    (one) =>
      ts.isImportDeclaration(one) &&
      ts.isStringLiteral(one.moduleSpecifier) &&
      one.moduleSpecifier.text === from &&
      one.importClause?.namedBindings &&
      ts.isNamedImports(one.importClause.namedBindings) &&
      one.importClause.namedBindings.elements.some((element) => element.name.text === name),
  );
}

function todosIn(text: string): Rewritten["todos"] {
  return text.split("\n").flatMap((line, index) => {
    const [, reason] =
      new RegExp(`(?:// |/\\* )${MARK.replace(/[()]/g, "\\$&")}: (.*?)(?: \\*/.*)?$`).exec(line.trimEnd()) ?? [];
    return reason === undefined ? [] : [{ line: index + 1, reason: reason.replace(/ See \S+$/, "") }];
  });
}
