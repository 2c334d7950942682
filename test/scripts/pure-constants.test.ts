import { build } from "esbuild";
import { expect, test } from "vitest";
import { withPureConstants } from "../../scripts/build/pure-constants.js";

/** A module of the package as a program that uses only `used` bundles it. */
async function bundleOf(code: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: `${withPureConstants(code)}\nconsole.log(used);` },
    bundle: true,
    treeShaking: true,
    format: "esm",
    write: false,
  });
  return String(outputFiles[0]?.text);
}

test.each([
  ["a spread", "{ ...used, name: 1 }"],
  ["a template", `\`a \${used} b\``],
  ["a call", "Object.keys(used)"],
  ["a call with a spread", "Object.keys({ ...used })"],
  ["an object with a member of another", "{ name: used.name }"],
])("a bundle doesn't keep an unused constant that is %s", async (_name, value) => {
  const code = `// src/a.ts\nvar used = { name: "used" };\nvar unused = ${value};`;
  expect(await bundleOf(code)).not.toContain("unused");
  expect(await bundleOf(code.replace("src/a.ts", "node_modules/a/a.js"))).toContain("unused");
});

test("a marked constant has its value, and no line moves", async () => {
  const code = "// src/a.ts\nvar base = { a: 1 };\nvar used = {\n  ...base,\n  b: Object.keys(base)\n};\nvar next = 1;";
  const marked = withPureConstants(code);
  expect(marked.split("\n")).toHaveLength(code.split("\n").length);
  expect(new Function(`${marked}\nreturn used;`)()).toEqual({ a: 1, b: ["a"] });
});
