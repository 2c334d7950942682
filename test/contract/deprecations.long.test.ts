import { globSync, readFileSync } from "node:fs";
import ts from "typescript";
import { expect, test } from "vitest";
import { operations } from "../../src/contract/operations.js";

const { config } = ts.readConfigFile("tsconfig.json", ts.sys.readFile);
const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, ".");
const program = ts.createProgram(globSync("src/resources/*/endpoints.ts"), { ...options, noEmit: true });
const checker = program.getTypeChecker();

/** Every field of a type whose doc says `@deprecated`, as a path. */
function deprecatedFields(type: ts.Type, prefix: string, depth = 0): string[] {
  const members = (type.isUnion() ? type.types : [type]).filter(
    (member) => (member.flags & ts.TypeFlags.Object) !== 0 && !checker.isArrayType(member),
  );
  if (depth > 3) return [];
  return members.flatMap((member) =>
    checker.getPropertiesOfType(member).flatMap((field) => {
      const path = `${prefix}.${field.name}`;
      const isDeprecated = field.getJsDocTags(checker).some(({ name }) => name === "deprecated");
      return [...(isDeprecated ? [path] : []), ...deprecatedFields(checker.getTypeOfSymbol(field), path, depth + 1)];
    }),
  );
}

/** Fields marked as deprecated in the request types of each operation. */
function documented(): Map<string, readonly string[]> {
  const found = new Map<string, readonly string[]>();
  for (const file of program.getSourceFiles().filter(({ fileName }) => /\/endpoints\.ts$/.test(fileName))) {
    const module = checker.getSymbolAtLocation(file);
    const resources = module ? checker.getExportsOfModule(module) : [];
    // Each resource exports a function that returns its endpoints. Others return one endpoint.
    const returned = resources
      .flatMap((symbol) => checker.getTypeOfSymbol(symbol).getCallSignatures())
      .map((signature) => signature.getReturnType())
      .filter((type) => !type.getProperty("method"));
    for (const endpoint of returned.flatMap((type) => type.getProperties())) {
      // `Endpoint` is an interface: its instantiations are references.
      const type = checker.getTypeOfSymbol(endpoint) as ts.TypeReference;
      const [name, , query, body] = checker.getTypeArguments(type);
      if (!name?.isStringLiteral() || !query || !body) throw new Error(`${endpoint.name} isn't an endpoint`);
      found.set(name.value, [...new Set([...deprecatedFields(query, "query"), ...deprecatedFields(body, "body")])]);
    }
  }
  return found;
}

test("the endpoints report exactly the fields that the request types mark as deprecated", () => {
  const fields = documented();
  const stated = Object.values(operations).map(({ endpoint: { name, deprecated = [] } }) => ({
    name,
    // A type can't mark a single value, as in `body.version=V1`.
    deprecated: deprecated.filter((subject) => subject !== "operation" && !subject.includes("=")),
  }));
  expect(stated.length).toBeGreaterThan(90);
  expect(stated).toEqual(stated.map(({ name }) => ({ name, deprecated: fields.get(name) })));
  expect(stated.some(({ deprecated }) => deprecated.length > 0)).toBe(true);
});

test("the fields whose docs say that they are deprecated are those that the document marks", () => {
  const fields = globSync("src/resources/*/*schema.ts").flatMap((path) => {
    const found: { readonly name: string; readonly inDoc: boolean; readonly inSchema: boolean }[] = [];
    const visit = (node: ts.Node): void => {
      if (ts.isPropertyAssignment(node) || ts.isShorthandPropertyAssignment(node)) {
        const inDoc = ts.getJSDocTags(node).some(({ tagName }) => tagName.text === "deprecated");
        const inSchema = ts.isPropertyAssignment(node) && node.initializer.getText().startsWith("deprecated(");
        found.push({ name: `${path} ${node.name.getText()}`, inDoc, inSchema });
      }
      ts.forEachChild(node, visit);
    };
    visit(ts.createSourceFile(path, readFileSync(path, "utf8"), ts.ScriptTarget.Latest, true));
    return found;
  });
  expect(fields.filter(({ inDoc, inSchema }) => inDoc !== inSchema)).toEqual([]);
  expect(fields.filter(({ inSchema }) => inSchema).length).toBeGreaterThan(40);
});
