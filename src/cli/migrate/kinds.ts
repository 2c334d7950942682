import type ts from "typescript";
import { CLIENT_METHODS } from "./client-methods.js";
import { CONNECTION_METHODS, CORE_METHODS, SESSION_METHODS } from "./core-methods.js";
import { DeclaredKinds, WITH_ELEMENT } from "./declared-kinds.js";
import { type ClientKind, exportOf, isClientClass, type Kind, type ValueKind } from "./kind.js";
import { type Method, methodsOf } from "./method-table.js";
import { promisesIn } from "./project.js";

const METHODS = { client: methodsOf(CLIENT_METHODS), core: methodsOf(CORE_METHODS) };
const VALUE_METHODS: Readonly<Record<string, ReadonlyMap<string, Method>>> = {
  session: methodsOf(SESSION_METHODS),
  connection: methodsOf(CONNECTION_METHODS),
};
/** Methods of arrays that return elements. */
const RETURNS_ELEMENTS = /^(filter|find|findLast|at|slice|toSorted|sort|concat|reverse|toReversed|pop|shift|values)$/;

/** Finds out what expressions are, from where their values come. Needs no types, so it works in JavaScript too. */
export class Kinds extends DeclaredKinds {
  readonly #known = new Map<ts.Node, Kind | undefined>();

  override of(node: ts.Node | undefined): Kind | undefined {
    if (!node) return undefined;
    if (this.#known.has(node)) return this.#known.get(node);
    this.#known.set(node, undefined); // While it is looked up: it may refer to itself.
    const kind = this.#find(node);
    this.#known.set(node, kind);
    return kind;
  }

  /** A method of a library, and what it is called on. The method is missing if no table has it. */
  methodOf(
    callee: ts.PropertyAccessExpression,
  ): { readonly method?: Method; readonly on: ClientKind | ValueKind } | undefined {
    const owner = this.of(callee.expression);
    const name = callee.name.text;
    const kind = owner?.is === "value" ? owner : this.of(callee);
    if (kind?.is === "value") {
      const methods = owner?.is === "value" ? VALUE_METHODS[owner.shape] : undefined;
      return methods && { ...found(methods.get(name)), on: kind };
    }
    if (kind?.is !== "client" || name === "getClient") return undefined;
    return { ...found(METHODS[kind.library].get(kind.path)), on: kind };
  }

  #find(node: ts.Node): Kind | undefined {
    const { ts } = this.project;
    if (ts.isIdentifier(node)) return this.first(this.declarationsOf(node));
    if (ts.isPropertyAccessExpression(node)) {
      // `exports.client = …` is a declaration.
      const { parent } = node;
      if (ts.isBinaryExpression(parent) && parent.left === node) return this.of(parent.right);
      return this.member(this.of(node.expression), node.name.text) ?? this.first(this.declarationsOf(node.name));
    }
    if (ts.isQualifiedName(node)) return this.member(this.of(node.left), node.right.text);
    if (ts.isElementAccessExpression(node)) return this.element(this.of(node.expression));
    if (ts.isCallExpression(node)) return this.#call(node);
    if (ts.isNewExpression(node)) return this.#created(node);
    if (ts.isTypeNode(node)) return this.type(node);
    if (ts.isConditionalExpression(node)) return this.of(node.whenTrue) ?? this.of(node.whenFalse);
    if (ts.isBinaryExpression(node)) return this.of(node.right) ?? this.of(node.left);
    if (ts.isAwaitExpression(node) || ts.isParenthesizedExpression(node) || ts.isNonNullExpression(node)) {
      return this.of(node.expression);
    }
    if (ts.isSatisfiesExpression(node) || ts.isAsExpression(node))
      return this.of(node.expression) ?? this.of(node.type);
    return this.declared(node);
  }

  #call(node: ts.CallExpression): Kind | undefined {
    const { ts } = this.project;
    const callee = node.expression;
    const [first] = node.arguments;
    const isRequired = callee.kind === ts.SyntaxKind.ImportKeyword || callee.getText() === "require";
    if (isRequired && first && ts.isStringLiteralLike(first)) return exportOf(first.text, "*");
    if (promisesIn(ts, node)) return undefined;
    if (!ts.isPropertyAccessExpression(callee)) return this.resultOf(callee);
    const owner = this.of(callee.expression);
    if (owner?.is === "client" && callee.name.text === "getClient") return { ...owner, library: "client", path: "" };
    const found = this.methodOf(callee);
    if (found?.method) return this.#result(found.method, found.on, callee);
    return owner?.is === "value" ? this.#calledOn(owner, callee.name.text, first) : this.resultOf(callee);
  }

  /** The results of the methods of promises and arrays. */
  #calledOn(owner: ValueKind, name: string, callback: ts.Expression | undefined): Kind | undefined {
    if (name === "then") return this.resultOf(callback);
    if (name === "catch" || name === "finally") return owner;
    if (owner.shape === "wire") return name === "withResponse" ? { ...owner, shape: "response" } : undefined;
    if (owner.shape !== "record") return undefined;
    if (RETURNS_ELEMENTS.test(name)) return owner;
    return WITH_ELEMENT.test(name) ? this.resultOf(callback) : undefined;
  }

  #result(method: Method, on: ClientKind | ValueKind, callee: ts.PropertyAccessExpression): Kind {
    const client = on.is === "client" ? this.#rootOf(callee) : on.client;
    return { is: "value", shape: method.result ?? "wire", client, provider: on.provider };
  }

  /** The client of a method: `this.client` of `this.client.tools.list`. */
  #rootOf(node: ts.Expression): ts.Expression | undefined {
    const kind = this.of(node);
    if (kind?.is === "client" && kind.path === "") return node;
    return this.project.ts.isPropertyAccessExpression(node) ? this.#rootOf(node.expression) : undefined;
  }

  #created(node: ts.NewExpression): Kind | undefined {
    const { ts } = this.project;
    const kind = this.of(node.expression);
    if (kind?.is !== "export" || !isClientClass(kind)) return undefined;
    const [options] = node.arguments ?? [];
    const given = options && ts.isObjectLiteralExpression(options) ? options.properties : [];
    const option = (name: string) => given.find((property) => property.name?.getText() === name);
    const provider = option("provider");
    const value = provider && ts.isPropertyAssignment(provider) ? provider.initializer : provider?.name;
    return this.clientOf(kind, value, option("toolkitVersions") !== undefined);
  }
}

function found(method: Method | undefined): { readonly method?: Method } {
  return method ? { method } : {};
}
