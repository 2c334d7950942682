import type ts from "typescript";
import { finishAdapter, libraryCall, markArguments, printCall } from "./calls.js";
import { type FieldTableName, printFields, readAs } from "./fields.js";
import type { FileContext } from "./file-context.js";
import { type Imports, isTaken, planImports, printImports, printNeeded } from "./imports.js";
import { Kinds } from "./kinds.js";
import { EXPORTS, FIELDS, libraryOf, STRINGS } from "./names.js";
import type { Project } from "./project.js";

/** Where the guide is in an installed package. */
const GUIDE = "node_modules/svc-sdk/docs/guide/migrating.md";
const MARK = "TODO(svc-sdk)";

/** A file that uses one of the libraries, as it will be. */
export interface Rewritten {
  readonly text: string;
  /** What a person must do, with the line in the new text. */
  readonly todos: readonly { readonly line: number; readonly reason: string }[];
}

/** Rewrites the files of a program. Files that use neither library aren't in the result. */
export function rewriteFiles(project: Project, files: readonly ts.SourceFile[]): Map<ts.SourceFile, Rewritten> {
  const kinds = new Kinds(project);
  const marks = new Map<ts.Node, FieldTableName>();
  const users = files.filter((source) => scan(project, kinds, marks, source));
  return new Map(users.map((source) => [source, new FileRewriter(project, kinds, marks, source).rewrite()]));
}

/** Marks the objects that a file passes to a library, and returns whether it uses one. */
function scan(project: Project, kinds: Kinds, marks: FileContext["marks"], source: ts.SourceFile): boolean {
  const { ts } = project;
  let uses = false;
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteral(node) && libraryOf(node.text)) uses = true;
    if (ts.isCallExpression(node)) {
      const call = libraryCall(project, kinds, node);
      if (call !== undefined) uses = true;
      if (typeof call === "object") markArguments(project, kinds, marks, call);
    }
    if (ts.isPropertyAccessExpression(node) && kinds.of(node.expression)) uses = true;
    if (ts.isBindingElement(node) && kinds.of(node)) uses = true;
    if (ts.isNewExpression(node) && kinds.of(node)?.is === "client") {
      const [options] = node.arguments ?? [];
      uses = true;
      if (options && ts.isObjectLiteralExpression(options)) marks.set(options, "options");
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return uses;
}

class FileRewriter implements FileContext {
  readonly project: Project;
  readonly kinds: Kinds;
  readonly source: ts.SourceFile;
  readonly marks: FileContext["marks"];
  readonly localNames: ReadonlyMap<ts.Node, string>;
  readonly #imports: Imports;
  readonly #needed = new Map<string, Set<string>>();
  /** Reasons of the statement that is printed. */
  #reasons: Set<string> = new Set();

  constructor(project: Project, kinds: Kinds, marks: FileContext["marks"], source: ts.SourceFile) {
    this.project = project;
    this.kinds = kinds;
    this.marks = marks;
    this.source = source;
    this.#imports = planImports(this);
    this.localNames = this.#imports.localNames;
  }

  rewrite(): Rewritten {
    const { ts } = this.project;
    const { statements, text } = this.source;
    const printed = new Map(
      statements.filter((one) => !this.#imports.statements.has(one)).map((one) => [one, this.#statement(one)] as const),
    );
    const imports = statements.filter((one) => ts.isImportDeclaration(one));
    const first = imports.find((one) => this.#imports.statements.has(one));
    let out = "";
    let from = 0;
    for (const statement of statements) {
      const start = statement.getStart();
      out += text.slice(from, start);
      from = statement.end;
      const replaced = this.#imports.statements.get(statement);
      const lines = replaced
        ? printImports(
            this,
            replaced,
            ts.isExportDeclaration(statement) ? "export" : "import",
            statement === first ? this.#needed : new Map(),
          )
        : [printed.get(statement) ?? ""];
      if (replaced && replaced.missing.length > 0) {
        const names = replaced.missing.join(", ");
        lines.unshift(this.#comment(statement, `svc-sdk has no ${names}. #from-another-client`));
      }
      if (lines.length === 0) from += /^[ \t]*\r?\n/.exec(text.slice(from))?.[0].length ?? 0;
      out += lines.filter((line) => line !== "").join(this.#newline);
      if (!first && this.#needed.size > 0 && statement === (imports.at(-1) ?? this.#lastRequire())) {
        out += this.#newline + printNeeded(this, this.#needed).join(this.#newline);
      }
    }
    const result = out + text.slice(from);
    const isAtTop = !first && this.#needed.size > 0 && imports.length === 0 && !this.#lastRequire();
    const top = isAtTop ? printNeeded(this, this.#needed).join(this.#newline) + this.#newline : "";
    return { text: top + result, todos: todosIn(top + result) };
  }

  print(node: ts.Node): string {
    return this.#special(node) ?? this.printChildren(node);
  }

  printChildren(node: ts.Node): string {
    return this.#range(node, node.getStart(), false);
  }

  printBetween(from: number, node: ts.Node): string {
    return this.#range(node, from, false);
  }

  #range(node: ts.Node, from: number, _nested: boolean): string {
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
    const comments = [...this.#reasons]
      .map((reason) => this.#comment(node, reason))
      .filter((comment) => comment !== "");
    this.#reasons = outer;
    if (comments.length === 0) return printed;
    const { text } = this.source;
    const start = node.getStart();
    const indent = text.slice(text.lastIndexOf("\n", start - 1) + 1, start);
    if (indent.trim() !== "") return comments.map((comment) => `/* ${comment.slice(3)} */ `).join("") + printed;
    return comments.map((comment) => comment + this.#newline + indent).join("") + printed;
  }

  /** The comment for a reason; empty if it is there already. */
  #comment(node: ts.Node, reason: string): string {
    const [what = "", section = ""] = reason.split(/ (?=#[\w-]+$)/);
    const comment = `// ${MARK}: ${what} See ${GUIDE}${section}`;
    return this.source.text.slice(node.getFullStart(), node.getStart()).includes(comment) ? "" : comment;
  }

  todo(reason: string): void {
    this.#reasons.add(reason);
  }

  need(name: string, from: string): string {
    const local =
      !isImportedFrom(this, name, from) && isTaken(this, name) ? `svc${name[0]?.toUpperCase()}${name.slice(1)}` : name;
    if (!isImportedFrom(this, name, from)) {
      const names = this.#needed.get(from) ?? new Set();
      this.#needed.set(from, names.add(local === name ? name : `${name} as ${local}`));
    }
    return local;
  }

  get #newline(): string {
    return this.source.text.includes("\r\n") ? "\r\n" : "\n";
  }

  #lastRequire(): ts.Statement | undefined {
    return this.source.statements.findLast((one) => /^(const|let|var)\b[^;]*=\s*require\(/.test(one.getText()));
  }

  /** What becomes of a node; `undefined` if only its children may change. */
  #special(node: ts.Node): string | undefined {
    const { ts } = this.project;
    const mark = this.marks.get(node);
    if (mark && ts.isObjectLiteralExpression(node)) return printFields(this, node, mark);
    if (ts.isAwaitExpression(node)) return this.#awaited(node);
    if (ts.isCallExpression(node)) return this.#call(node);
    if (ts.isNewExpression(node)) return this.#created(node);
    if (ts.isPropertyAccessExpression(node)) return this.#member(node, node.expression, node.name);
    if (ts.isQualifiedName(node)) return this.#member(node, node.left, node.right);
    if (ts.isTypeReferenceNode(node)) return this.#type(node);
    if (ts.isBindingElement(node)) return this.#bound(node);
    if (ts.isStringLiteral(node)) return this.#string(node);
    if (ts.isIdentifier(node)) return this.#name(node);
    return undefined;
  }

  #awaited(node: ts.AwaitExpression): string | undefined {
    const { ts } = this.project;
    if (!ts.isCallExpression(node.expression)) return undefined;
    const call = libraryCall(this.project, this.kinds, node.expression);
    const isValue = typeof call === "object" && call.template.startsWith("=") && call.template !== "=";
    return isValue ? this.#call(node.expression) : undefined;
  }

  #call(node: ts.CallExpression): string | undefined {
    const { ts } = this.project;
    const call = libraryCall(this.project, this.kinds, node);
    if (typeof call === "string") this.todo(call);
    if (typeof call === "object") {
      const printed = printCall(this, call);
      return printed !== undefined && call.template.startsWith("=$adapter")
        ? finishAdapter(this, printed, call.on)
        : printed;
    }
    const callee = node.expression;
    if (!ts.isPropertyAccessExpression(callee)) return undefined;
    const owner = this.kinds.of(callee.expression);
    if (owner?.is === "client" && callee.name.text === "getClient") return this.print(callee.expression);
    if (owner?.is === "value" && owner.shape === "wire" && callee.name.text === "asResponse") {
      this.todo("withResponse() returns the data, and meta with status and headers. #from-another-client");
    }
    return undefined;
  }

  #created(node: ts.NewExpression): string | undefined {
    const kind = this.kinds.of(node);
    if (kind?.is !== "client") return undefined;
    const [options] = node.arguments ?? [];
    const name = this.print(node.expression);
    if (!options) return `new ${name}()`;
    if (!this.marks.has(options)) {
      this.todo("the options are built elsewhere; their names are apiKey, baseUrl, headers and timeoutMs. #options");
    }
    const printed = this.print(options);
    return `new ${name}(${printed === "{}" ? "" : printed})`;
  }

  #member(node: ts.Node, left: ts.Node, right: ts.MemberName): string | undefined {
    const { ts } = this.project;
    const owner = this.kinds.of(left);
    const { text } = this.source;
    if (owner?.is === "export") return this.#exported(owner, left, right);
    if (
      owner?.is === "client" &&
      owner.path === "" &&
      /^(apiKey|baseURL|maxRetries|timeout|logger)$/.test(right.text)
    ) {
      this.todo(`a client doesn't show its options, such as ${right.text}. #options`);
    }
    if (owner?.is !== "value") return FIELDS.has(right.text) ? this.printBetween(left.getStart(), node) : undefined;
    if (ts.isCallExpression(node.parent) && node.parent.expression === node) return undefined;
    if (owner.shape === "event") {
      if (right.text === "payload") return this.print(left);
      this.todo(`${right.text} is a field of the delivery that verifyWebhook returns. #webhooks`);
      return undefined;
    }
    const path = this.#isOfEvent(left) ? this.#eventField(right.text) : readAs(owner.shape, right.text);
    const dot = text.slice(left.end, right.getStart());
    return `${this.print(left)}${this.#isOfEvent(left) ? dot.replace(/^\./, "?.") : dot}${path}`;
  }

  #isOfEvent(node: ts.Node): boolean {
    const { ts } = this.project;
    if (!ts.isPropertyAccessExpression(node) || node.name.text !== "payload") return false;
    const owner = this.kinds.of(node.expression);
    return owner?.is === "value" && owner.shape === "event";
  }

  #eventField(name: string): string {
    const same = ["triggerSlug", "userId", "payload"];
    if (name === "id") return "triggerId";
    if (name === "uuid") return "legacyTriggerId";
    if (!same.includes(name))
      this.todo(`an event has no ${name}; it has connectedAccountId, authConfigId and logId. #webhooks`);
    return name;
  }

  /** `Composio.NotFoundError`, and what a namespace contains. */
  #exported(
    owner: { library: keyof typeof EXPORTS; name: string },
    left: ts.Node,
    right: ts.MemberName,
  ): string | undefined {
    const target = EXPORTS[owner.library].get(right.text);
    if (!target) {
      this.todo(`svc-sdk has no ${right.text}. #from-another-client`);
      return undefined;
    }
    const isNamespace = owner.name === "*" && target.from === "svc-sdk";
    return isNamespace ? `${this.print(left)}.${target.name}` : this.need(target.name, target.from);
  }

  #type(node: ts.TypeReferenceNode): string | undefined {
    const kind = this.kinds.of(node);
    return kind?.is === "client" ? this.print(node.typeName) : undefined;
  }

  #bound(node: ts.BindingElement): string | undefined {
    const { ts } = this.project;
    const owner = this.kinds.of(node.parent.parent);
    const key = node.propertyName ?? node.name;
    if (!ts.isObjectBindingPattern(node.parent) || node.dotDotDotToken || !ts.isIdentifier(key)) return undefined;
    const rest = () => (node.initializer ? ` = ${this.print(node.initializer)}` : "");
    if (owner?.is === "export") {
      const target = EXPORTS[owner.library].get(key.text);
      if (!target) this.todo(`svc-sdk has no ${key.text}. #from-another-client`);
      const local = this.print(node.name);
      return target && (target.name === local ? local : `${target.name}: ${local}`);
    }
    if (owner?.is !== "value") return undefined;
    if (owner.shape === "event") {
      this.todo("a normalized event has the payload's fields itself. #webhooks");
      return undefined;
    }
    const path = readAs(owner.shape, key.text).split(".");
    const local = ts.isIdentifier(node.name) ? node.name.text : this.print(node.name);
    const inner = path.at(-1) === local ? local : `${path.at(-1)}: ${local}`;
    return path.slice(0, -1).reduceRight((text, name) => `${name}: { ${text} }`, inner + rest());
  }

  #string(node: ts.StringLiteral): string | undefined {
    const { ts } = this.project;
    const { parent } = node;
    const [quote = '"'] = node.getText();
    if (libraryOf(node.text)) {
      const isRequired =
        ts.isCallExpression(parent) &&
        (parent.expression.kind === ts.SyntaxKind.ImportKeyword || parent.expression.getText() === "require");
      if (isRequired) return `${quote}svc-sdk${quote}`;
      this.todo("this names the old package. #from-another-client");
      return undefined;
    }
    const isManager =
      ts.isPropertyAssignment(parent) && /^managed_?by$/i.test(parent.name.getText()) && node.text === "composio";
    const text = isManager ? "svc" : STRINGS.get(node.text);
    return text === undefined ? undefined : `${quote}${text}${quote}`;
  }

  #name(node: ts.Identifier): string | undefined {
    const { ts } = this.project;
    const { parent } = node;
    const field = FIELDS.get(node.text);
    const isProperty =
      ts.isPropertyAccessExpression(parent) || ts.isPropertyAssignment(parent) || ts.isPropertySignature(parent);
    if (isProperty && parent.name === node) return field;
    const name = this.#newNameOf(node);
    if (name === undefined) return undefined;
    if (ts.isShorthandPropertyAssignment(parent)) return `${node.text}: ${name}`;
    if (ts.isExportSpecifier(parent) && !parent.propertyName) return `${name} as ${node.text}`;
    return name;
  }

  #newNameOf(node: ts.Identifier): string | undefined {
    const { ts, checker } = this.project;
    const { parent } = node;
    const symbol = ts.isShorthandPropertyAssignment(parent)
      ? checker.getShorthandAssignmentValueSymbol(parent)
      : ts.isExportSpecifier(parent)
        ? checker.getExportSpecifierLocalTargetSymbol(parent)
        : checker.getSymbolAtLocation(node);
    for (const declaration of symbol?.declarations ?? []) {
      const name = this.localNames.get(declaration);
      if (name !== undefined) return name;
    }
    return undefined;
  }
}

/** Whether the file imports a name from the module already. */
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
    return reason === undefined ? [] : [{ line: index + 1, reason }];
  });
}
