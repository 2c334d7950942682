import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import ts from "typescript";
import { beforeAll, describe, expect, test } from "vitest";

/** Names that a reader brings along. The page says so, in a comment where the name is used. */
const READERS_OWN: Readonly<Record<string, readonly string[]>> = {
  "README.md": ["secret"], // "of your webhook subscription"
};

/** Shows parts of programs, and links the folder of each: it has the rest. */
const OF_FOLDERS = ["docs/guide/recipes.md"];

/** Too large for every installation. Programs with them are compiled with the libraries, where these are installed. */
const ELSEWHERE = ["agents", "databases"].flatMap((folder) =>
  Object.keys(JSON.parse(readFileSync(`test/programs/${folder}/package.json`, "utf8")).dependencies),
);

interface Block {
  /** The example that it is a region of. */
  readonly example: string;
  readonly code: string;
}

const regions = globSync("examples/**/*.ts", { exclude: ["**/node_modules/**"] }).flatMap((example) =>
  [...readFileSync(example, "utf8").matchAll(/\/\/ #region \S+\n([\s\S]*?)\/\/ #endregion/g)].map(
    ([, code = ""]): Block => ({ example, code }),
  ),
);

const pages = ["README.md", ...globSync("docs/guide/*.md")].map((page) => {
  const text = readFileSync(page, "utf8");
  const blocks = [...text.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].flatMap(([, code]) =>
    regions.filter((region) => region.code === code).slice(0, 1),
  );
  return { page, text, blocks };
});

/**
 * What a reader has who copies the blocks of one example, down to each of them: a file beside the example. A name that
 * comes from another example on the page is missing there, so it cannot be one that means something else by now.
 */
const copies = pages.flatMap(({ page, blocks }) =>
  blocks.map(({ example, code }, index) => {
    const before = blocks.slice(0, index).filter((block) => block.example === example);
    const own = (READERS_OWN[page] ?? []).map((name) => `declare const ${name}: string;\n`);
    const [firstLine] = code.split("\n");
    return {
      page,
      firstLine,
      file: resolve(dirname(example), `copied-${page.replaceAll(/\W/g, "-")}-${index}.ts`),
      text: [...own, ...before.map((block) => block.code), code].join("\n"),
    };
  }),
);

describe("a reader who copies a page's snippets from top to bottom", () => {
  const complaints = new Map<string, readonly string[]>();
  beforeAll(() => {
    for (const [file, found] of check(copies)) complaints.set(file, found);
  }, 120_000);

  test.each(OF_FOLDERS)("finds the folder of each program: %s", (path) => {
    const { text = "", blocks = [] } = pages.find(({ page }) => page === path) ?? {};
    const folders = new Set(blocks.map(({ example }) => dirname(example)));
    expect(folders.size).toBeGreaterThan(0);
    expect([...folders].filter((folder) => !text.includes(`](../../${folder}/`))).toEqual([]);
  });

  test.each(pages.filter(({ page, blocks }) => blocks.length > 0 && !OF_FOLDERS.includes(page)))(
    "has a complete program at each step: $page",
    ({ page }) => {
      const broken = copies
        .filter((copy) => copy.page === page)
        .map(({ firstLine, file }) => ({ block: firstLine, complaints: complaints.get(file) }));
      expect(broken.length).toBeGreaterThan(0);
      expect(broken.filter((copy) => copy.complaints?.length !== 0)).toEqual([]);
    },
  );

  test.each(pages)("knows the name of every imported file: $page", ({ text, blocks }) => {
    const words = text.replaceAll(/^```[\s\S]*?^```/gm, "");
    const imported = blocks.flatMap(({ example, code }) =>
      [...code.matchAll(/ from "\.\/([^"]+)"/g)].map(([, name = ""]) => {
        const written = name.replace(/\.js$/, ".ts");
        return { written, exists: existsSync(join(dirname(example), written)) };
      }),
    );
    expect(imported.filter(({ written, exists }) => !(exists && words.includes(`\`${written}\``)))).toEqual([]);
  });
});

/** What the compiler says about each file; none of them is on the disk. */
function check(files: readonly { file: string; text: string }[]): Map<string, readonly string[]> {
  const { config } = ts.readConfigFile("tsconfig.json", ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, ".");
  const texts = new Map(files.map(({ file, text }) => [file, text]));
  const host = ts.createCompilerHost(options);
  const program = ts.createProgram({
    rootNames: [...texts.keys(), "examples/svc.gen.ts"],
    // A block may declare what a later one uses.
    options: { ...options, noUnusedLocals: false, moduleDetection: ts.ModuleDetectionKind.Force },
    host: {
      ...host,
      fileExists: (path) => texts.has(path) || host.fileExists(path),
      readFile: (path) => texts.get(path) ?? host.readFile(path),
      getSourceFile: (path, ...rest) => {
        const text = texts.get(path);
        return text === undefined
          ? host.getSourceFile(path, ...rest)
          : ts.createSourceFile(path, text, {
              languageVersion: ts.ScriptTarget.ES2023,
              impliedNodeFormat: ts.ModuleKind.ESNext,
            });
      },
    },
  });
  return new Map(
    files.map(({ file }) => {
      const source = program.getSourceFile(file);
      const found = [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)];
      const complaints = found.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, " "));
      const isAboutOthers = (text: string) => ELSEWHERE.some((name) => text.startsWith(`Cannot find module '${name}`));
      return [file, complaints.filter((text) => !isAboutOthers(text))];
    }),
  );
}
