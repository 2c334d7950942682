import type ts from "typescript";
import { type ClientLibrary, type Library, libraryOf } from "./exports.js";
import type { Shape } from "./names.js";

/** The meaning of an expression, as far as the libraries are concerned. */
export type Kind = ExportKind | ClientKind | ValueKind | { readonly is: "error" };

/** A module of a library (`*`), a class or a type. */
export interface ExportKind {
  readonly is: "export";
  readonly library: Library;
  readonly name: string;
}

/** A client, a group of its methods, or a method. */
export interface ClientKind {
  readonly is: "client";
  readonly library: ClientLibrary;
  /** From the client: `tools.list`. Empty for the client itself. */
  readonly path: string;
  /** The package of its adapter. */
  readonly provider: string | undefined;
  /** Whether it is created with versions of toolkits. */
  readonly hasVersions: boolean;
}

/** A value that a method returned. */
export interface ValueKind {
  readonly is: "value";
  readonly shape: Shape;
  readonly provider: string | undefined;
}

/** Finds out what expressions and types are, by the types that the libraries' declarations give them. */
export class Kinds {
  readonly #ts: typeof ts;
  readonly #checker: ts.TypeChecker;
  readonly #declarations: ts.SourceFile | undefined;

  constructor(compiler: typeof ts, checker: ts.TypeChecker, declarations: ts.SourceFile | undefined) {
    this.#ts = compiler;
    this.#checker = checker;
    this.#declarations = declarations;
  }

  /** The kind of an expression, a type or a declaration. A promise has the kind of its value. */
  of(node: ts.Node): Kind | undefined {
    const ts = this.#ts;
    const isAccess = ts.isPropertyAccessExpression(node);
    const symbol = this.symbolOf(isAccess ? node.name : ts.isQualifiedName(node) ? node.right : node);
    const found = this.#exported(symbol) ?? this.ofType(this.#checker.getTypeAtLocation(node));
    if (found || !isAccess) return found;
    const owner = this.of(node.expression);
    // The declarations have only known methods.
    if (owner?.is !== "client") return undefined;
    return { ...owner, path: owner.path === "" ? node.name.text : `${owner.path}.${node.name.text}` };
  }

  ofType(type: ts.Type): Kind | undefined {
    const value = this.#checker.getAwaitedType(type) ?? type;
    if (value.isUnion()) return value.types.map((one) => this.ofType(one)).find((kind) => kind !== undefined);
    const shape = this.#text(value, "~shape");
    const provider = this.#text(this.#property(value, "~provider"), "~package");
    // The declarations have these names from the tables.
    if (shape !== undefined) return { is: "value", shape: shape as Shape, provider };
    const library = this.#text(value, "~library") as ClientLibrary | undefined;
    if (library !== undefined) {
      const versions = this.#property(value, "~versions");
      const hasVersions = versions !== undefined && !(versions.flags & this.#ts.TypeFlags.Unknown);
      return { is: "client", library, path: this.#text(value, "~path") ?? "", provider, hasVersions };
    }
    const symbol: ts.Symbol | undefined = value.symbol;
    const isClass = symbol && this.#checker.getTypeOfSymbol(symbol) === value;
    if (!isClass && symbol?.name.endsWith("Error") && this.#exported(symbol)) return { is: "error" };
    return isClass || (symbol && symbol.flags & this.#ts.SymbolFlags.ValueModule) ? this.#exported(symbol) : undefined;
  }

  /** The symbol of a name, in whatever file it is declared. */
  symbolOf(name: ts.Node): ts.Symbol | undefined {
    const symbol = this.#ts.isShorthandPropertyAssignment(name.parent)
      ? this.#checker.getShorthandAssignmentValueSymbol(name.parent)
      : this.#checker.getSymbolAtLocation(name);
    return symbol && symbol.flags & this.#ts.SymbolFlags.Alias ? this.#checker.getAliasedSymbol(symbol) : symbol;
  }

  #exported(symbol: ts.Symbol | undefined): ExportKind | undefined {
    const ts = this.#ts;
    const declaration = symbol?.declarations?.find((one) => one.getSourceFile() === this.#declarations);
    if (!symbol || !declaration) return undefined;
    if (ts.isModuleDeclaration(declaration) && ts.isStringLiteral(declaration.name)) {
      const library = libraryOf(declaration.name.text);
      return library && { is: "export", library, name: "*" };
    }
    const module = ts.isModuleBlock(declaration.parent) ? declaration.parent.parent.name : undefined;
    const library = module && ts.isStringLiteral(module) ? libraryOf(module.text) : undefined;
    return library && { is: "export", library, name: symbol.name };
  }

  #property(type: ts.Type | undefined, name: string): ts.Type | undefined {
    const property = type && this.#checker.getPropertyOfType(type, name);
    return property && this.#checker.getTypeOfSymbol(property);
  }

  #text(type: ts.Type | undefined, name: string): string | undefined {
    const value = this.#property(type, name);
    return value?.isStringLiteral() ? value.value : undefined;
  }
}
