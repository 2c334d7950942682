import ts from "typescript";

const PURE = "/* @__PURE__ */ ";

/** Whether a bundler sees that evaluating this has no effect. */
function isPlain(node: ts.Expression): boolean {
  if (ts.isParenthesizedExpression(node)) return isPlain(node.expression);
  if (ts.isPrefixUnaryExpression(node)) return isPlain(node.operand);
  if (ts.isArrayLiteralExpression(node)) return node.elements.every(isPlain);
  if (ts.isObjectLiteralExpression(node)) {
    return node.properties.every((property) => {
      if (property.name && ts.isComputedPropertyName(property.name)) return false;
      return ts.isPropertyAssignment(property) ? isPlain(property.initializer) : !ts.isSpreadAssignment(property);
    });
  }
  return (
    ts.isLiteralExpression(node) ||
    ts.isIdentifier(node) ||
    ts.isFunctionExpression(node) ||
    ts.isArrowFunction(node) ||
    ts.isClassExpression(node) ||
    [ts.SyntaxKind.TrueKeyword, ts.SyntaxKind.FalseKeyword, ts.SyntaxKind.NullKeyword].includes(node.kind)
  );
}

/**
 * Marks the values of our constants as free of effects, so that a bundle has only those that it uses. Bundlers keep the
 * others: a spread may call a getter, and a template `toString()`.
 *
 * @param code as esbuild bundles it: a comment names the source of what follows. Other packages stay unchanged.
 */
export function withPureConstants(code: string): string {
  const file = ts.createSourceFile("", code, ts.ScriptTarget.Latest, true);
  const sources = [...code.matchAll(/^\/\/ (src|node_modules)\/.*$/gm)];
  const isOurs = (node: ts.Node) => sources.findLast(({ index }) => index < node.getStart())?.[1] === "src";
  const constants = file.statements
    .filter((statement) => ts.isVariableStatement(statement))
    .filter(isOurs)
    .flatMap(({ declarationList }) => declarationList.declarations)
    .flatMap(({ name, initializer }) => (initializer && ts.isIdentifier(name) ? [initializer] : []))
    .filter((value) => !isPlain(value));
  // From the end, so that earlier positions stay right.
  return constants.reverse().reduce((text, value) => {
    const isCall = ts.isCallExpression(value) || ts.isNewExpression(value);
    const isMarked = isCall && (value.arguments ?? []).every(isPlain);
    const written = value.getText();
    const pure = isMarked ? PURE + written : `${PURE}(() => (${written}))()`;
    return text.slice(0, value.getStart()) + pure + text.slice(value.end);
  }, code);
}
