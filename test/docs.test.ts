import { existsSync, globSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, matchesGlob } from "node:path";
import { describe, expect, test } from "vitest";

/** The languages of fences: code, commands, which other tests run, configuration, and drawings or output. */
const PLAIN = new Set(["ts", "sh", "json", "yaml", ""]);
/** Without the API reference, which TypeDoc writes. */
const written = filesBelow("docs", ".md").filter((path) => !path.startsWith(join("docs", "api")));
const pages = ["README.md", "CHANGELOG.md", "examples/README.md", ...written];
const regions = filesBelow("examples", ".ts")
  .flatMap((path) => [...readFileSync(path, "utf8").matchAll(/\/\/ #region \S+\n([\s\S]*?)\/\/ #endregion/g)])
  .map(([, code = ""]) => code);

describe.each(pages)("%s", (page) => {
  const text = readFileSync(page, "utf8");

  test("shows only code that is a region of an example, commands, and JSON that parses", () => {
    const fences = [...text.matchAll(/^```(.*)\n([\s\S]*?)^```$/gm)];
    const languages = fences.map(([, language]) => language);
    expect(languages.filter((language) => !PLAIN.has(language ?? ""))).toEqual([]);
    const code = fences.flatMap(([, language, content]) => (language === "ts" ? [content] : []));
    expect(code.filter((content) => !regions.includes(content ?? ""))).toEqual([]);
    for (const [, language, content = ""] of fences) {
      if (language === "json") expect(() => JSON.parse(content), content).not.toThrow();
    }
  });

  test("links only to pages, files and headings that exist", () => {
    const links = [...text.matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g)].map(([, path = "", heading]) => ({
      target: path === "" ? page : join(dirname(page), path),
      heading,
    }));
    const dead = links.filter(
      ({ target, heading }) => !existsSync(target) || !(heading === undefined || hasHeading(target, heading)),
    );
    expect(dead).toEqual([]);
  });

  test("has URLs of your machine as code, because the site would link them", () => {
    const prose = text.replaceAll(/^```[\s\S]*?^```$/gm, "").replaceAll(/`[^`]*`/g, "");
    expect(prose.match(/https?:\/\/(localhost|127\.0\.0\.1).*/g)).toBeNull();
  });
});

test.each(filesBelow("docs/guide", ".md"))(
  "%s has an npm install line with each package that its code imports",
  (page) => {
    const text = readFileSync(page, "utf8");
    const code = [...text.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, content]) => content).join("\n");
    const imported = [...code.matchAll(/ from "((?:@[\w.-]+\/)?[\w.-]+)[^"]*"/g)].map(([, name = ""]) => name);
    const installed = [...text.matchAll(/npm install ([^`\n,()]+)/g)].flatMap(([, names = ""]) => names.split(" "));
    // The client that a reader migrates from is installed already.
    const known = ["svc-sdk", "node", "@composio/client", ...installed];
    expect(imported.filter((name) => !known.includes(name) && !name.startsWith("."))).toEqual([]);
  },
);

describe("the guides", () => {
  const guides = readdirSync("docs/guide").map((name) => ({ name, text: readFileSync(`docs/guide/${name}`, "utf8") }));

  test("are all listed", () => {
    const index = readFileSync("docs/guide/README.md", "utf8");
    const listed = [...index.matchAll(/^\| \[.+\]\(([\w-]+\.md)\) \|/gm)].map(([, name]) => name);
    const names = guides.map(({ name }) => name);
    expect([...listed, "README.md"].sort(), "rows of docs/guide/README.md").toEqual(names.sort());
  });

  // An index, a page of troubleshooting alone, and pages to look something up.
  const tasks = guides.filter(({ name }) => !/^(README|troubleshooting|.+-reference)\.md$/.test(name));
  test.each(tasks)("$name ends with troubleshooting", ({ name, text }) => {
    const headings = [...text.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading);
    expect(headings.at(-1), `the last heading of docs/guide/${name}`).toBe("Troubleshooting");
  });
});

test("every example is in the list of examples", () => {
  const list = readFileSync("examples/README.md", "utf8");
  const files = [...readdirSync("examples"), ...globSync("agents/*.ts", { cwd: "examples" })];
  const missing = files.filter((file) => file !== "README.md" && !list.includes(`](${file}`));
  expect(missing, "files that examples/README.md doesn't link").toEqual([]);
});

describe("the docs in the source", () => {
  const comments = filesBelow("src", ".ts").flatMap((path) =>
    [...readFileSync(path, "utf8").matchAll(/^ *\/\*\*[\s\S]*?\*\//gm)].map(([comment]) => ({
      path,
      text: comment.replaceAll(/^ *\* ?/gm, ""),
    })),
  );
  const fences = comments.flatMap(({ path, text }) =>
    [...text.matchAll(/^```(.*)\n([\s\S]*?)^```$/gm)].map(([, language, code = ""]) => ({ path, language, code })),
  );

  test("show only code that is a passage of a region of an example", () => {
    expect(fences.length).toBeGreaterThan(15);
    expect(fences.filter(({ language }) => language !== "ts")).toEqual([]);
    expect(fences.filter(({ code }) => !regions.some((region) => holds(region, code)))).toEqual([]);
  });

  test("have examples only in fences", () => {
    const others = comments.filter(({ text }) => /^@example\b(?!\s*```ts\n)/m.test(text));
    expect(others.map(({ path }) => path)).toEqual([]);
  });
});

test("every assumption that the code cites exists, and every existing one is cited", () => {
  const cited = new Set(
    filesBelow("src", ".ts").flatMap((path) =>
      [...readFileSync(path, "utf8").matchAll(/\b[Aa]ssumptions? ([A-Z]\d+)\b/g)].map(([, id]) => id),
    ),
  );
  const written = [...readFileSync("docs/assumptions.md", "utf8").matchAll(/^\| ([A-Z]\d+) \|/gm)].map(([, id]) => id);
  expect(written, "ids of the rows in docs/assumptions.md").toEqual([...new Set(written)]);
  for (const id of cited) expect(written, `${id} is cited: add its row to docs/assumptions.md`).toContain(id);
  for (const id of written) {
    const advice = `write "Assumption ${id}" in a comment beside the code, or delete the row in docs/assumptions.md`;
    expect(cited, `${id} is cited nowhere: ${advice}`).toContain(id);
  }
});

describe("the paths in contributing.md", () => {
  const text = readFileSync("docs/contributing.md", "utf8");
  const words = [...text.matchAll(/`([^`]+)`/g)].flatMap(([, code = ""]) => code.split(/\s+/));
  const folders = ["src", "test", "scripts", "docs", "examples", "bench"];
  const files = [...globSync(`{${folders.join()}}/**/*.*`, { exclude: ["**/node_modules/**"] }), ...globSync("*.*")];
  const written = ["docs/api", "docs/.vitepress/dist"];
  const roots = [...folders, ...readdirSync("src")];
  const isPath = (word: string) =>
    /\.(ts|mjs|md|json|dot)$/.test(word) || roots.some((root) => word.startsWith(`${root}/`));
  // `x.test.ts` is a kind of file.
  const paths = [...new Set(words)].filter((word) => isPath(word) && !/^x\./.test(word) && !written.includes(word));

  test.each(paths)("%s exists, and a name without a folder is one file's", (path) => {
    const pattern = path.replaceAll(/<[\w-]+>/g, "*").replace(/\/$/, "");
    const whole = ["", "src/"].flatMap((root) => [...globSync(root + pattern), ...globSync(`${root + pattern}.*`)]);
    if (whole.length > 0) return;
    const named = files.filter((file) => matchesGlob(basename(file), pattern));
    if (pattern.includes("*")) expect(named).not.toEqual([]);
    else expect(named).toHaveLength(1);
  });

  test("are many", () => expect(paths.length).toBeGreaterThan(150));
});

test("the README fits on two screens", () => {
  expect(readFileSync("README.md", "utf8").split("\n").length).toBeLessThan(120);
});

/** Every file of this kind in a folder, with its path from here. */
function filesBelow(folder: string, ending: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(ending) && !path.includes("node_modules"))
    .map((path) => join(folder, path));
}

/** Whether a region has these whole lines, perhaps further to the right. */
function holds(region: string, passage: string): boolean {
  return ["", "  ", "    "].some((indent) => `\n${region}`.includes(`\n${passage.replaceAll(/^(?=.)/gm, indent)}`));
}

/** Whether a page has a heading under the name that GitHub gives it in links. */
function hasHeading(page: string, name: string): boolean {
  const text = readFileSync(page, "utf8").replaceAll(/^```[\s\S]*?^```/gm, "");
  const slugs = [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
      .replaceAll(/\s/g, "-"),
  );
  return slugs.includes(name);
}
