import type ts from "typescript";
import { EXPORTS } from "./exports.js";
import { type ClientKind, exportOf, fieldOf, isClientClass, type Kind } from "./kind.js";
import { ADAPTERS } from "./names.js";
import { type Project, promisesIn } from "./project.js";

/** Methods of arrays whose callback gets an element. */
export const WITH_ELEMENT = /^(map|flatMap|filter|find|findLast|findIndex|some|every|forEach|toSorted|sort|reduce)$/;

/** Finds out what declarations and types are. {@link Kinds} does the same for expressions. */
export abstract class DeclaredKinds {
  protected readonly project: Project;

  constructor(project: Project) {
    this.project = project;
  }

  /** The kind of an expression, a type or a declaration. A promise has the kind of its value. */
  abstract of(node: ts.Node | undefined): Kind | undefined;

  /** The declarations of a name, in whatever file they are. */
  declarationsOf(name: ts.Node): readonly ts.Declaration[] {
    const { ts, checker } = this.project;
    const symbol = ts.isShorthandPropertyAssignment(name.parent)
      ? checker.getShorthandAssignmentValueSymbol(name.parent)
      : checker.getSymbolAtLocation(name);
    if (!symbol) return [];
    const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
    return target.declarations ?? this.#reExported(symbol.declarations ?? []);
  }

  /** Follows imports of what another file takes from a package, which isn't read. */
  #reExported(declarations: readonly ts.Declaration[]): readonly ts.Declaration[] {
    const { ts, checker } = this.project;
    const [specifier] = declarations;
    if (!specifier || !ts.isImportSpecifier(specifier)) return declarations;
    const module = checker.getSymbolAtLocation(specifier.parent.parent.parent.moduleSpecifier);
    const name = (specifier.propertyName ?? specifier.name).text;
    const exported = [...(module?.exports?.values() ?? [])].find((one) => one.name === name);
    return exported?.declarations ?? declarations;
  }

  protected first(nodes: readonly ts.Node[]): Kind | undefined {
    for (const node of nodes) {
      const kind = this.of(node);
      if (kind) return kind;
    }
    return undefined;
  }

  protected declared(node: ts.Node): Kind | undefined {
    const { ts } = this.project;
    if (ts.isImportClause(node) || ts.isNamespaceImport(node)) return this.#imported(node);
    if (ts.isImportSpecifier(node) || ts.isExportSpecifier(node)) return this.#imported(node);
    if (ts.isBindingElement(node)) return this.#destructured(node);
    if (ts.isVariableDeclaration(node)) {
      const { parent } = node.parent;
      if (ts.isForOfStatement(parent)) return this.element(this.of(parent.expression));
      return this.type(node.type) ?? this.of(node.initializer);
    }
    if (ts.isParameter(node)) return this.type(node.type) ?? this.of(node.initializer) ?? this.#givenToCallback(node);
    if (ts.isPropertyDeclaration(node)) {
      return this.type(node.type) ?? this.of(node.initializer) ?? this.#assigned(node);
    }
    if (ts.isPropertySignature(node)) return this.type(node.type);
    if (ts.isPropertyAssignment(node)) return this.of(node.initializer);
    if (ts.isShorthandPropertyAssignment(node)) return this.of(node.name);
    if (ts.isExportAssignment(node)) return this.of(node.expression);
    if (ts.isTypeAliasDeclaration(node)) return this.type(node.type);
    if (ts.isGetAccessor(node)) return this.type(node.type) ?? this.returned(node);
    return undefined;
  }

  protected member(owner: Kind | undefined, name: string): Kind | undefined {
    if (owner?.is === "value") return fieldOf(owner, name);
    if (owner?.is === "client") return { ...owner, path: owner.path === "" ? name : `${owner.path}.${name}` };
    const isObject = owner && (owner.name === "*" || isClientClass(owner));
    return isObject ? exportOf(owner.module, name) : undefined;
  }

  protected element(owner: Kind | undefined): Kind | undefined {
    return owner?.is === "value" && owner.shape === "record" ? owner : undefined;
  }

  /** The result of a function that is named, or given as a callback. */
  protected resultOf(node: ts.Node | undefined): Kind | undefined {
    const { ts } = this.project;
    if (!node) return undefined;
    if (ts.isFunctionLike(node)) return this.type(node.type) ?? this.returned(node);
    const name = ts.isPropertyAccessExpression(node) ? node.name : node;
    if (!ts.isIdentifier(name)) return undefined;
    for (const declaration of this.declarationsOf(name)) {
      const isNamed = ts.isVariableDeclaration(declaration) || ts.isPropertyAssignment(declaration);
      const value = isNamed ? declaration.initializer : declaration;
      if (value && ts.isFunctionLike(value)) return this.resultOf(value);
    }
    return undefined;
  }

  /** The kind of a function's result. */
  protected returned(node: ts.SignatureDeclaration): Kind | undefined {
    const { ts } = this.project;
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

  protected type(node: ts.TypeNode | undefined): Kind | undefined {
    const { ts } = this.project;
    if (!node) return undefined;
    if (ts.isArrayTypeNode(node)) return this.element(this.of(node.elementType));
    if (ts.isUnionTypeNode(node)) return this.first(node.types);
    if (ts.isParenthesizedTypeNode(node)) return this.of(node.type);
    if (ts.isTypeQueryNode(node)) return this.of(node.exprName);
    if (!ts.isTypeReferenceNode(node)) return undefined;
    const [argument] = node.typeArguments ?? [];
    const name = node.typeName.getText();
    if (/^(Promise|Readonly|Awaited|NonNullable|Partial|Array|ReadonlyArray)$/.test(name)) return this.of(argument);
    const queried = argument && ts.isTypeQueryNode(argument) ? argument.exprName : undefined;
    if (name === "ReturnType") return this.resultOf(queried);
    const kind = this.of(name === "InstanceType" ? queried : node.typeName);
    if (kind?.is !== "export") return kind;
    if (isClientClass(kind)) {
      return this.clientOf(kind, argument && ts.isTypeReferenceNode(argument) ? argument.typeName : undefined);
    }
    const shape = EXPORTS[kind.library].get(kind.name)?.shape;
    return shape && { is: "value", shape, client: undefined, provider: undefined };
  }

  /** @param provider The value of the option, or the type's argument. */
  protected clientOf(
    { library }: Pick<ClientKind, "library">,
    provider: ts.Node | undefined,
    hasVersions = false,
  ): ClientKind {
    return { is: "client", library, path: "", provider: this.#packageOf(provider), hasVersions };
  }

  /** The package of a provider. */
  #packageOf(value: ts.Node | undefined): string | undefined {
    const { ts } = this.project;
    if (!value) return undefined;
    const name = ts.isNewExpression(value) ? value.expression : value;
    const kind = this.of(name);
    if (kind?.is === "export" && Object.hasOwn(ADAPTERS, kind.module)) return kind.module;
    const [declaration] = ts.isIdentifier(name) ? this.declarationsOf(name) : [];
    return declaration && ts.isVariableDeclaration(declaration) ? this.#packageOf(declaration.initializer) : undefined;
  }

  #imported(node: ts.ImportClause | ts.NamespaceImport | ts.ImportSpecifier | ts.ExportSpecifier): Kind | undefined {
    const { ts } = this.project;
    const isStatement = (parent: ts.Node) => ts.isImportDeclaration(parent) || ts.isExportDeclaration(parent);
    const statement = ts.findAncestor(node, isStatement);
    // It is one of the two.
    const module = (statement as ts.ImportDeclaration | ts.ExportDeclaration | undefined)?.moduleSpecifier;
    if (!module || !ts.isStringLiteral(module)) return undefined;
    if (ts.isImportClause(node)) return exportOf(module.text, "default");
    if (ts.isNamespaceImport(node)) return exportOf(module.text, "*");
    return exportOf(module.text, (node.propertyName ?? node.name).text);
  }

  #destructured(node: ts.BindingElement): Kind | undefined {
    const { ts } = this.project;
    const { parent } = node;
    const owner = parent.parent;
    if (ts.isArrayBindingPattern(parent)) {
      const promises = ts.isVariableDeclaration(owner) ? promisesIn(ts, owner.initializer) : undefined;
      const promise = promises?.[parent.elements.indexOf(node)];
      return promise ? this.of(promise) : this.element(this.of(owner));
    }
    const name = node.propertyName ?? node.name;
    if (!ts.isIdentifier(name)) return undefined;
    return this.member(this.of(owner), name.text) ?? this.#propertyOf(owner, name.text);
  }

  /** A property of a type that the program declares. */
  #propertyOf(owner: ts.Node, name: string): Kind | undefined {
    const property = this.project.checker.getTypeAtLocation(owner).getProperty(name);
    return this.first(property?.declarations ?? []);
  }

  #givenToCallback(parameter: ts.ParameterDeclaration): Kind | undefined {
    const { ts } = this.project;
    const callback = parameter.parent;
    const call = callback.parent;
    if (!ts.isCallExpression(call) || !ts.isPropertyAccessExpression(call.expression)) return undefined;
    const name = call.expression.name.text;
    const owner = this.of(call.expression.expression);
    if (owner?.is !== "value" || call.arguments[0] !== callback) return undefined;
    if (name === "then") return owner;
    const position = callback.parameters.indexOf(parameter);
    const isElement = name === "reduce" ? position === 1 : position === 0 || /sort/i.test(name);
    return WITH_ELEMENT.test(name) && isElement ? this.element(owner) : undefined;
  }

  /** The kind of a field's value in the constructor: `this.client = client`. */
  #assigned(property: ts.PropertyDeclaration): Kind | undefined {
    const { ts } = this.project;
    const body = property.parent.members.find(ts.isConstructorDeclaration)?.body;
    const field = `this.${property.name.getText()}`;
    for (const statement of body?.statements ?? []) {
      if (!ts.isExpressionStatement(statement) || !ts.isBinaryExpression(statement.expression)) continue;
      const { left, right } = statement.expression;
      if (ts.isPropertyAccessExpression(left) && left.getText() === field) return this.of(right);
    }
    return undefined;
  }
}
