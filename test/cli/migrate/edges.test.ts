import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import ts from "typescript";
import { describe, expect, onTestFinished, test } from "vitest";
import { diffLines } from "../../../src/cli/migrate/diff.js";
import { findSources, readSource } from "../../../src/cli/migrate/source-files.js";
import { migrateSources, writeSources } from "../../../src/cli/migrate.js";
import { migrate, migrated } from "./golden.js";

const CALL =
  'import Composio from "@composio/client";\nconst c = new Composio();\nawait c.toolkits.retrieve("github");\n';
const CALL_AFTER = 'import { Svc } from "svc-sdk";\nconst c = new Svc();\nawait c.toolkits.get("github");\n';

function folder(files: Readonly<Record<string, string | Uint8Array>>): string {
  const root = mkdtempSync(join(tmpdir(), "svc-migrate-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(root, path, ".."), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  return root;
}

describe("svc-sdk migrate", () => {
  test("leaves a file alone that doesn't parse, and rewrites the others", () => {
    const broken = `${CALL}const = ;\n`;
    const { contents, skipped } = migrate(
      new Map([
        ["broken.ts", broken],
        ["good.ts", CALL],
      ]),
    );
    expect(contents.get("broken.ts")).toBe(broken);
    expect(contents.get("good.ts")).toBe(CALL_AFTER);
    expect([...skipped]).toEqual([["broken.ts", expect.stringMatching(/^line 4: /)]]);
  });

  test("keeps line ends and the byte order mark", () => {
    const windows = (text: string) => `\uFEFF${text.replaceAll("\n", "\r\n")}`;
    expect(migrated(windows(CALL))).toBe(windows(CALL_AFTER));
  });

  test("leaves a call alone that needs a client, and names the reason, if two clients are in scope", () => {
    const clients = ["eu", "us"].map((name) => `const ${name} = new Composio({ apiKey: "${name}" });\n`).join("");
    const link = 'const request = await us.connectedAccounts.link("ada", "ac_1");\n';
    const text = migrated(
      `import { Composio } from "@composio/core";\n${clients}${link}await request.waitForConnection();\n`,
    );
    expect(text).toContain('await us.connectedAccounts.link({ user_id: "ada", auth_config_id: "ac_1" });\n// TODO');
    expect(text).toMatch(
      /\n\/\/ TODO\(svc-sdk\): svc\.connectedAccounts\.waitUntilActive does this; no client, or more than one, .*\nawait request\.waitForConnection\(\);\n$/,
    );
  });

  test("imports what it needs below directives, in a file that imports nothing", () => {
    const handler =
      'declare const c: import("./c.js").C;\nawait c.composio.triggers.parse(request, { verifySecret });\n';
    const files = new Map([
      ["c.ts", 'import { Composio } from "@composio/core";\nexport interface C { composio: Composio }\n'],
      [
        "page.ts",
        `"use server";\nimport { C } from "./c.js";\nexport const f = async (c: C) => {\n  ${handler.split("\n")[1]}\n};\n`,
      ],
      [
        "bare.ts",
        '"use server";\nconst { Composio } = await import("@composio/core");\nconst c = new Composio();\nawait c.triggers.parse(request, { verifySecret });\n',
      ],
    ]);
    const { contents } = migrate(files);
    const imported = 'import { normalizeTrigger, verifyWebhook } from "svc-sdk/webhooks";';
    expect(contents.get("page.ts")).toContain(`"use server";\nimport { C } from "./c.js";\n${imported}\n`);
    expect(contents.get("bare.ts")).toContain(`"use server";\n${imported}\nconst { Svc } = await import("svc-sdk");`);
  });

  test("follows the aliases of tsconfig.json", () => {
    const root = folder({
      "tsconfig.json": '{ "compilerOptions": { "paths": { "@/*": ["./src/*"] } } } // comment',
      "src/client.ts": 'import Composio from "@composio/client";\nexport const composio = new Composio();\n',
      "src/app.ts": 'import { composio } from "@/client";\nawait composio.tools.retrieveEnum();\n',
    });
    const paths = ["src/client.ts", "src/app.ts"].map((path) => join(root, path));
    const { changed } = migrateSources(ts, root, new Map(paths.map((path) => [path, readFileSync(path, "utf8")])));
    expect(changed.get(join(root, "src/app.ts"))).toContain("await composio.tools.enum();");
  });

  test("adds its names under another one if the file has something of that name", () => {
    const before = `import Composio from "@composio/client";
const NotFoundError = 1;
export const isIt = (error: unknown) => error instanceof Composio.NotFoundError || NotFoundError;
`;
    expect(migrated(before)).toContain("NotFoundError as svcNotFoundError");
    expect(migrated(before)).toContain("error instanceof svcNotFoundError || NotFoundError");
  });

  test("finishes the migration of a program that was migrated in part", () => {
    const before = `import { NotFoundError } from "svc-sdk";
import Composio from "@composio/client";
export const missing = (error: unknown) => error instanceof Composio.NotFoundError || error instanceof NotFoundError;
export const client = new Composio();
`;
    expect(migrated(before)?.match(/import .*svc-sdk.*/g)).toEqual([
      'import { NotFoundError } from "svc-sdk";',
      'import { Svc } from "svc-sdk";',
    ]);
  });
});

describe("the compiler's types", () => {
  const core = 'import { Composio, ValidationError } from "@composio/core";\nconst composio = new Composio();\n';

  test("reach a page whose cursor comes from the page before", () => {
    const after = migrated(`${core}let cursor: string | undefined;
do {
  const page = await composio.connectedAccounts.list({ cursor });
  for (const account of page.items) console.log(account.userId);
  cursor = page.nextCursor;
} while (cursor);
`);
    expect(after).toContain("console.log(account.user_id);\n  cursor = page.next_cursor;");
  });

  test("reach a session through then", () => {
    const after = migrated(`${core}export const url = composio.create("ada").then((session) => session.sessionId);\n`);
    expect(after).toContain('composio.toolRouter.create({ user_id: "ada" }).then((session) => session.id);');
    expect(after).not.toContain("TODO");
  });

  test("reach an error below a check that leaves the function", () => {
    const after = migrated(`${core}export function headersOf(error: unknown) {
  if (!(error instanceof ValidationError)) return undefined;
  return error.headers;
}
`);
    expect(after).toMatch(/\/\/ TODO\(svc-sdk\): an error has body, .*\n {2}return error\.headers;/);
  });

  test("reach a parameter of JavaScript with a type in its comment", () => {
    const code = `/** @param {import("@composio/core").Composio} client */
export const named = (client) => client.toolkits.listCategories();
`;
    expect(migrated(code, "program.js")).toContain("client.toolkits.categories();");
  });
});

describe("the files of svc-sdk migrate", () => {
  test("are sources that people write", async () => {
    const names = [
      "src/a.ts",
      "src/b.tsx",
      "c.cjs",
      "node_modules/d/d.js",
      "dist/e.js",
      ".next/f.js",
      "types.d.ts",
      "g.json",
    ];
    const root = folder(Object.fromEntries(names.map((name) => [name, ""])));
    symlinkSync(join(root, "src"), join(root, "linked"));
    const found = await findSources([root, join(root, "src/a.ts"), join(root, "types.d.ts")]);
    expect(found.map((path) => path.slice(root.length + 1))).toEqual(["c.cjs", "src/a.ts", "src/b.tsx", "types.d.ts"]);
    await expect(findSources([join(root, "missing")])).rejects.toThrow(/Can't read .*missing/);
  });

  test("must be UTF-8", async () => {
    const root = folder({ "latin.ts": Uint8Array.of(0x2f, 0x2f, 0xe9), "utf.ts": "\uFEFF// é" });
    expect(await readSource(join(root, "latin.ts"))).toBe(undefined);
    expect(await readSource(join(root, "utf.ts"))).toBe("\uFEFF// é");
  });

  test("are all written, with their permissions, or none", async () => {
    const root = folder({ "a.ts": "old", "b.ts": "old" });
    chmodSync(join(root, "a.ts"), 0o755);
    const contents = new Map(["a.ts", "b.ts"].map((name) => [join(root, name), "new"]));
    await expect(writeSources(new Map([...contents, [join(root, "missing.ts"), "new"]]))).rejects.toThrow(
      /Nothing was written/,
    );
    expect(readdirSync(root).map((name) => readFileSync(join(root, name), "utf8"))).toEqual(["old", "old"]);
    await writeSources(contents);
    expect(readdirSync(root).map((name) => readFileSync(join(root, name), "utf8"))).toEqual(["new", "new"]);
    expect(statSync(join(root, "a.ts")).mode & 0o777).toBe(0o755);
  });

  test("are shown as a unified diff", () => {
    const lines = Array.from({ length: 12 }, (_, index) => `line ${index}`);
    const changed = lines.with(1, "one").toSpliced(11, 1).toSpliced(3, 0, "new");
    expect(diffLines("a.ts", lines.join("\n"), changed.join("\n"))).toEqual([
      "--- a.ts",
      "+++ a.ts",
      "@@ -1,6 +1,7 @@",
      " line 0",
      "-line 1",
      "+one",
      " line 2",
      "+new",
      " line 3",
      " line 4",
      " line 5",
      "@@ -9,4 +10,3 @@",
      " line 8",
      " line 9",
      " line 10",
      "-line 11",
    ]);
  });
});

describe("code that is nested deeply", () => {
  const deep: Readonly<Record<string, string>> = {
    "800 brackets": `export const deep = ${"[".repeat(800)}${"]".repeat(800)};\n`,
    "a sum of 5,000 strings": `export const sum = ${Array.from({ length: 5_000 }, () => '"a"').join(" + ")};\n`,
    "3,000 calls of then": `export const chain = Promise.resolve()${".then(() => {})".repeat(3_000)};\n`,
  };

  test.each(Object.entries(deep))("of %s is skipped by name, and other files are rewritten", (_, code) => {
    const files = new Map([
      ["deep.ts", CALL + code],
      ["good.ts", CALL],
    ]);
    const { contents, skipped } = migrate(files);
    expect(contents.get("deep.ts")).toBe(CALL + code);
    expect(contents.get("good.ts")).toBe(CALL_AFTER);
    expect([...skipped]).toEqual([["deep.ts", expect.stringMatching(/^its code is nested more than 400 levels deep/)]]);
  });

  test.each(Object.entries(deep))("of %s isn't read in a file that can't use a library", (_, code) => {
    const { skipped } = migrate(new Map([["data.js", code.replace("export ", "")]]));
    expect([...skipped]).toEqual([]);
  });
});

test("a class that require returns as a whole gets a comment", () => {
  for (const library of ["@composio/client", "@composio/core"]) {
    const after = migrated(`const Composio = require("${library}");\nconst c = new Composio();\n`);
    expect(after).toMatch(/^\/\/ TODO\(svc-sdk\): svc-sdk exports the class as Svc: .*\nconst c = new Composio\(\);/m);
  }
});

test.each([
  ["a method", "retrieve", 'c.tools["retrieve"]("x")'],
  ["a group", "tools", 'c["tools"].retrieve("x")'],
  ["a group without a call", "tools", 'c["tools"]'],
])("%s in brackets gets a comment", (_, name, code) => {
  const after = migrated(`import Composio from "@composio/client";\nconst c = new Composio();\nawait ${code};\n`);
  const [, reason, statement] = /^\/\/ TODO\(svc-sdk\): (.*)\n(.*)$/m.exec(after ?? "") ?? [];
  expect(reason).toContain(`write .${name} instead of "${name}" in brackets, and run this again.`);
  expect(statement).toBe(`await ${code};`);
});

test.each([
  ["after another statement on the line", "let a = 1; c.files.unknown();\n"],
  ["after an if", "if (a) c.files.unknown();\n"],
  ["after an else", "if (a) {\n} else c.files.unknown();\n"],
  ["in a case", "switch (a) {\n  case 1: c.files.unknown();\n}\n"],
  ["in an arrow function", "const f = () => { c.files.unknown(); };\n"],
  ["in a class", "class A { x = c.files.unknown(); y() { return c.files.unknown(); } }\n"],
  ["behind a label", "loop: for (;;) c.files.unknown();\n"],
  ["in an export", "export default c.files.unknown();\n"],
  ["of an import", 'import { Unknown } from "@composio/client";\nexport type { Unknown };\n'],
])("a comment %s isn't repeated by a second run", (_, code) => {
  const once = migrated(
    `import Composio from "@composio/client";\ndeclare const a: number;\nconst c = new Composio();\n${code}`,
  );
  expect(once).toContain("TODO(svc-sdk)");
  expect(migrated(once ?? "")).toBe(once);
});
