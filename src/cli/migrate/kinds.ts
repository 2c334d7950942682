import type ts from "typescript";
import { CLIENT_METHODS } from "./client-methods.js";
import { CONNECTION_METHODS, CORE_METHODS, SESSION_METHODS } from "./core-methods.js";
import { type Method, methodsOf, type Shape } from "./method-table.js";
import { ADAPTERS, EXPORTS, type Library, libraryOf } from "./names.js";
import type { Project } from "./project.js";

/** What an expression is, as far as the libraries are concerned. */
export type Kind =
  | { readonly is: "export"; readonly library: Library; readonly module: string; readonly name: string }
  | ClientKind
  | ValueKind;

/** A client, a group of its methods, or a method. */
export interface ClientKind {
  readonly is: "client";
  readonly library: "client" | "core";
  /** From the client: `tools.list`. Empty for the client itself. */
  readonly path: string;
  /** The package of its adapter. */
  readonly provider: string | undefined;
}

/** A value that a method returned. */
export interface ValueKind {
  readonly is: "value";
  readonly shape: Shape | "wire";
  /** The client whose method returned it. */
  readonly client: ts.Expression | undefined;
  readonly provider: string | undefined;
}

const METHODS = { client: methodsOf(CLIENT_METHODS), core: methodsOf(CORE_METHODS) };
const VALUE_METHODS: Readonly<Record<string, ReadonlyMap<string, Method>>> = {
  session: methodsOf(SESSION_METHODS),
  connection: methodsOf(CONNECTION_METHODS),
};
/** Methods of arrays whose callback gets an element first, and those that return elements. */
const WITH_ELEMENT = /^(map|flatMap|filter|find|findLast|findIndex|some|every|forEach|toSorted|sort|reduce)$/;
const RETURNS_ELEMENTS = /^(filter|find|findLast|at|slice|toSorted|sort|concat|reverse|toReversed|pop|shift|values)$/;
/** Names of the tables that aren't clients' groups of methods. */
const CALLED_BY_CLIENT = ["getClient"];

/** Finds out what expressions are, without types: from where their values come. */
export class Kinds {
  readonly #project: Project;
  readonly #known = new Map<ts.Node, Kind | undefined>();

  constructor(project: Project) {
    this.#project = project;
  }

  /** The kind of an expression, a type or a declaration. A promise has the kind of its value. */
  of(node: ts.Node | undefined): Kind | undefined {
    if (!node) return undefined;
    if (this.#known.has(node)) return this.#known.get(node);
    this.#known.set(node, undefined); // While it is looked up: it may refer to itself.
    const kind = this.#find(node);
    this.#known.set(node, kind);
    return kind;
  }

  /** The table's row for a method, if the kind is one that a table has. */
  methodOf(
    callee: ts.Expression,
  ): { readonly method: Method | undefined; readonly on: ClientKind | ValueKind } | undefined {
    const { ts } = this.#project;
    if (!ts.isPropertyAccessExpression(callee)) return undefined;
    const owner = this.of(callee.expression);
    if (owner?.is === "value") {
      const methods = VALUE_METHODS[owner.shape];
      return methods && { method: methods.get(callee.name.text), on: owner };
    }
    const kind = this.of(callee);
    if (kind?.is !== "client" || CALLED_BY_CLIENT.includes(callee.name.text)) return undefined;
    return { method: METHODS[kind.library].get(kind.path), on: kind };
  }

  /** The declarations of a name, in whatever file they are. */
  declarationsOf(name: ts.Node): readonly ts.Declaration[] {
    const { ts, checker } = this.#project;
    const symbol = ts.isShorthandPropertyAssignment(name.parent)
      ? checker.getShorthandAssignmentValueSymbol(name.parent)
      : checker.getSymbolAtLocation(name);
    if (!symbol) return [];
    const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
    return target.declarations ?? symbol.declarations ?? [];
  }

  #find(node: ts.Node): Kind | undefined {
    const { ts } = this.#project;
    if (ts.isIdentifier(node)) return this.#first(this.declarationsOf(node));
    if (ts.isPropertyAccessExpression(node)) {
      return (
        this.#member(this.of(node.expression), node.name.text, node.expression) ??
        this.#first(this.declarationsOf(node.name))
      );
    }
    if (ts.isQualifiedName(node)) return this.#member(this.of(node.left), node.right.text, undefined);
    if (ts.isElementAccessExpression(node)) return this.#element(this.of(node.expression));
    if (ts.isCallExpression(node)) return this.#call(node);
    if (ts.isNewExpression(node)) return this.#created(node);
    if (ts.isTypeNode(node)) return this.#type(node);
    if (ts.isConditionalExpression(node)) return this.of(node.whenTrue) ?? this.of(node.whenFalse);
    if (ts.isBinaryExpression(node)) return this.of(node.right) ?? this.of(node.left);
    if (
      ts.isAwaitExpression(node) ||
      ts.isParenthesizedExpression(node) ||
      ts.isNonNullExpression(node) ||
      ts.isSatisfiesExpression(node) ||
      ts.isAsExpression(node)
    ) {
      return this.of(node.expression);
    }
    return this.#declared(node);
  }

  #first(nodes: readonly ts.Node[]): Kind | undefined {
    for (const node of nodes) {
      const kind = this.of(node);
      if (kind) return kind;
    }
    return undefined;
  }

  #declared(node: ts.Node): Kind | undefined {
    const { ts } = this.#project;
    if (
      ts.isImportClause(node) ||
      ts.isNamespaceImport(node) ||
      ts.isImportSpecifier(node) ||
      ts.isExportSpecifier(node)
    ) {
      return this.#imported(node);
    }
    if (ts.isBindingElement(node)) return this.#bound(node);
    if (ts.isVariableDeclaration(node)) {
      const { parent } = node.parent;
      if (ts.isForOfStatement(parent)) return this.#element(this.of(parent.expression));
      return this.#type(node.type) ?? this.of(node.initializer);
    }
    if (ts.isParameter(node)) return this.#type(node.type) ?? this.of(node.initializer) ?? this.#givenToCallback(node);
    if (ts.isPropertyDeclaration(node)) {
      return this.#type(node.type) ?? this.of(node.initializer) ?? this.#assigned(node);
    }
    if (ts.isPropertySignature(node)) return this.#type(node.type);
    if (ts.isPropertyAssignment(node)) return this.of(node.initializer);
    if (ts.isShorthandPropertyAssignment(node)) return this.of(node.name);
    if (ts.isExportAssignment(node)) return this.of(node.expression);
    if (ts.isGetAccessor(node)) return this.#type(node.type) ?? this.#returned(node);
    return undefined;
  }

  #imported(node: ts.ImportClause | ts.NamespaceImport | ts.ImportSpecifier | ts.ExportSpecifier): Kind | undefined {
    const { ts } = this.#project;
    const statement = ts.findAncestor(
      node,
      (parent) => ts.isImportDeclaration(parent) || ts.isExportDeclaration(parent),
    );
    // It is one of the two.
    const module = (statement as ts.ImportDeclaration | ts.ExportDeclaration | undefined)?.moduleSpecifier;
    if (!module || !ts.isStringLiteral(module)) return undefined;
    if (ts.isImportClause(node)) return exportOf(module.text, "default");
    if (ts.isNamespaceImport(node)) return exportOf(module.text, "*");
    return exportOf(module.text, (node.propertyName ?? node.name).text);
  }

  #bound(node: ts.BindingElement): Kind | undefined {
    const { ts } = this.#project;
    const { parent } = node;
    const owner = parent.parent;
    if (ts.isArrayBindingPattern(parent)) {
      const { initializer } = ts.isVariableDeclaration(owner) ? owner : { initializer: undefined };
      const parallel = initializer && promisesIn(ts, initializer)?.[parent.elements.indexOf(node)];
      return parallel ? this.of(parallel) : this.#element(this.of(owner));
    }
    const name = node.propertyName ?? node.name;
    if (!ts.isIdentifier(name)) return undefined;
    return this.#member(this.of(owner), name.text, undefined) ?? this.#first(this.declarationsOf(name));
  }

  #givenToCallback(parameter: ts.ParameterDeclaration): Kind | undefined {
    const { ts } = this.#project;
    const callback = parameter.parent;
    const call = callback.parent;
    if (!ts.isCallExpression(call) || !ts.isPropertyAccessExpression(call.expression)) return undefined;
    const name = call.expression.name.text;
    const owner = this.of(call.expression.expression);
    if (owner?.is !== "value" || call.arguments[0] !== callback) return undefined;
    const position = callback.parameters.indexOf(parameter);
    if (name === "then") return owner;
    const isElement = name === "reduce" ? position === 1 : position === 0 || /sort/i.test(name);
    return WITH_ELEMENT.test(name) && isElement ? owner : undefined;
  }

  /** What a constructor assigns to a field: `this.client = client`. */
  #assigned(property: ts.PropertyDeclaration): Kind | undefined {
    const { ts } = this.#project;
    const body = property.parent.members.find(ts.isConstructorDeclaration)?.body;
    const name = property.name.getText();
    for (const statement of body?.statements ?? []) {
      if (!ts.isExpressionStatement(statement) || !ts.isBinaryExpression(statement.expression)) continue;
      const { left, right } = statement.expression;
      if (ts.isPropertyAccessExpression(left) && left.getText() === `this.${name}`) return this.of(right);
    }
    return undefined;
  }

  #member(owner: Kind | undefined, name: string, expression: ts.Expression | undefined): Kind | undefined {
    if (owner?.is === "export") {
      const isObject = owner.name === "*" || owner.name === "default" || owner.name === "Composio";
      return isObject ? exportOf(owner.module, name) : undefined;
    }
    if (owner?.is === "client") return { ...owner, path: owner.path === "" ? name : `${owner.path}.${name}` };
    if (owner?.is !== "value" || expression === undefined)
      return owner?.is === "value" ? fieldOf(owner, name) : undefined;
    return fieldOf(owner, name);
  }

  #element(owner: Kind | undefined): Kind | undefined {
    return owner?.is === "value" && owner.shape === "record" ? owner : undefined;
  }

  #call(node: ts.CallExpression): Kind | undefined {
    const { ts } = this.#project;
    const callee = node.expression;
    const [first] = node.arguments;
    const isImport =
      callee.kind === ts.SyntaxKind.ImportKeyword || (ts.isIdentifier(callee) && callee.text === "require");
    if (isImport && first && ts.isStringLiteralLike(first)) return exportOf(first.text, "*");
    if (ts.isPropertyAccessExpression(callee)) {
      const owner = this.of(callee.expression);
      const name = callee.name.text;
      if (owner?.is === "client" && name === "getClient") return { ...owner, library: "client", path: "" };
      const found = this.methodOf(callee);
      if (found?.method) return this.#result(found.method, found.on, callee);
      if (owner?.is === "value") {
        if (/^(then|catch|finally)$/.test(name)) return name === "then" ? this.#functionOf(first) : owner;
        if (owner.shape === "wire" && name === "withResponse") return { ...owner, shape: "response" };
        if (owner.shape === "record" && RETURNS_ELEMENTS.test(name)) return owner;
        if (owner.shape === "record" && WITH_ELEMENT.test(name)) return this.#functionOf(first);
        return undefined;
      }
    }
    const all = promisesIn(ts, node);
    if (all) return undefined;
    return this.#functionOf(callee);
  }

  #result(method: Method, on: ClientKind | ValueKind, callee: ts.PropertyAccessExpression): Kind {
    const client = on.is === "client" ? this.#rootOf(callee) : on.client;
    const shape = method.result ?? "wire";
    return { is: "value", shape, client, provider: on.provider };
  }

  /** The client of a method: `this.client` of `this.client.tools.list`. */
  #rootOf(node: ts.Expression): ts.Expression | undefined {
    const { ts } = this.#project;
    const kind = this.of(node);
    if (kind?.is === "client" && kind.path === "") return node;
    return ts.isPropertyAccessExpression(node) ? this.#rootOf(node.expression) : undefined;
  }

  /** What a function returns. */
  #functionOf(node: ts.Node | undefined): Kind | undefined {
    const { ts } = this.#project;
    if (!node) return undefined;
    if (ts.isFunctionLike(node)) return this.#type(node.type) ?? this.#returned(node);
    const name = ts.isPropertyAccessExpression(node) ? node.name : node;
    if (!ts.isIdentifier(name)) return undefined;
    for (const declaration of this.declarationsOf(name)) {
      const value =
        ts.isVariableDeclaration(declaration) || ts.isPropertyAssignment(declaration)
          ? declaration.initializer
          : declaration;
      if (value && ts.isFunctionLike(value)) return this.#functionOf(value);
    }
    return undefined;
  }

  #returned(node: ts.SignatureDeclaration): Kind | undefined {
    const { ts } = this.#project;
    // Only signatures of types have no body.
    const { body } = node as ts.FunctionLikeDeclaration;
    if (!body) return undefined;
    if (!ts.isBlock(body)) return this.of(body);
    let found: Kind | undefined;
    const visit = (child: ts.Node): void => {
      if (found || ts.isFunctionLike(child)) return;
      if (ts.isReturnStatement(child)) found = this.of(child.expression);
      else ts.forEachChild(child, visit);
    };
    ts.forEachChild(body, visit);
    return found;
  }

  #created(node: ts.NewExpression): Kind | undefined {
    const { ts } = this.#project;
    const kind = this.of(node.expression);
    if (kind?.is !== "export" || !isClientClass(kind)) return undefined;
    const [options] = node.arguments ?? [];
    const given = options && ts.isObjectLiteralExpression(options) ? options.properties : [];
    const provider = given.find((property) => property.name?.getText() === "provider");
    const value = provider && ts.isPropertyAssignment(provider) ? provider.initializer : provider?.name;
    return { is: "client", library: kind.library, path: "", provider: this.#providerOf(value) };
  }

  #providerOf(value: ts.Node | undefined): string | undefined {
    const { ts } = this.#project;
    if (!value) return undefined;
    const name = ts.isNewExpression(value) ? value.expression : value;
    const kind = this.of(name);
    if (kind?.is === "export" && Object.hasOwn(ADAPTERS, kind.module)) return kind.module;
    const [declaration] = ts.isIdentifier(name) ? this.declarationsOf(name) : [];
    return declaration && ts.isVariableDeclaration(declaration) ? this.#providerOf(declaration.initializer) : undefined;
  }

  #type(node: ts.TypeNode | undefined): Kind | undefined {
    const { ts } = this.#project;
    if (!node) return undefined;
    if (ts.isArrayTypeNode(node)) return this.#element(this.of(node.elementType));
    if (ts.isUnionTypeNode(node)) return this.#first(node.types);
    if (ts.isParenthesizedTypeNode(node)) return this.of(node.type);
    if (!ts.isTypeReferenceNode(node)) return undefined;
    const [argument] = node.typeArguments ?? [];
    if (/^(Promise|Readonly|Awaited|NonNullable|Partial|Array|ReadonlyArray)$/.test(node.typeName.getText()))
      return this.of(argument);
    const kind = this.of(node.typeName);
    if (kind?.is === "export" && isClientClass(kind)) {
      const provider = argument && ts.isTypeReferenceNode(argument) ? this.#providerOf(argument.typeName) : undefined;
      return { is: "client", library: kind.library, path: "", provider };
    }
    if (kind?.is !== "export") return undefined;
    const shape = EXPORTS[kind.library].get(kind.name)?.shape;
    return shape && { is: "value", shape, client: undefined, provider: undefined };
  }
}

function isClientClass(kind: { readonly library: Library; readonly name: string }): kind is {
  readonly library: "client" | "core";
  readonly name: string;
} {
  return (
    kind.library !== "provider" && (kind.name === "Composio" || (kind.library === "client" && kind.name === "default"))
  );
}

function exportOf(module: string, name: string): Kind | undefined {
  const library = libraryOf(module);
  return library && { is: "export", library, module, name };
}

/** The kind of a field of a value. A record's fields are records, except those whose content isn't the library's. */
function fieldOf(owner: ValueKind, name: string): Kind | undefined {
  if (owner.shape === "wire" || owner.shape === "connection") return undefined;
  return OPAQUE.test(name) ? undefined : { ...owner, shape: "record" };
}

/** Fields whose content comes from tools, providers and users. */
export const OPAQUE =
  /^(arguments|authConfigs|config|connectedAccounts|credentials|customAuthParams|customConnectionData|data|headers|inputParameters|metadata|outputParameters|payload|rawPayload|state|toolkitVersions|triggerConfig|triggerData|val)$/;

/** The promises of `await Promise.all([…])`. */
function promisesIn(ts: Project["ts"], node: ts.Expression): readonly ts.Expression[] | undefined {
  const call = ts.isAwaitExpression(node) ? node.expression : node;
  if (!ts.isCallExpression(call) || !/^Promise\.all(Settled)?$/.test(call.expression.getText())) return undefined;
  const [list] = call.arguments;
  return list && ts.isArrayLiteralExpression(list) ? list.elements : undefined;
}
