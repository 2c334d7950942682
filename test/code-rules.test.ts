import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import ts from "typescript";
import { describe, expect, test } from "vitest";
import { ENTRIES, repeated } from "../scripts/entries.js";
import { filesBelow, neighbors, SHAPES, sources, syntaxOf } from "./support/sources.js";

/** Rooms that the opening comments of others needn't name. */
const COMMON_ROOMS = /^(shared|errors)\//;

/** What an opening comment calls `index.ts` of `src`. */
const MAIN_ENTRY = "main entry";

/**
 * The folders that a room imports, with the folders in it: rooms beside it by name, and folders of `src` from a deeper
 * room as `src/contract`, because a resource's room of the emulator can have the same name.
 */
function foldersImportedBy(room: string): Set<string> {
  const paths = new Set(sources.map(({ path }) => path));
  const names = sources
    .filter(({ path }) => path.startsWith(`${room}/`))
    .flatMap(({ imports }) => imports.map(({ target }) => target))
    .filter((target) => paths.has(target) && !COMMON_ROOMS.test(target) && !target.startsWith(`${room}/`))
    .map((target) => (target === "index.ts" ? MAIN_ENTRY : folderSeenFrom(room, target)))
    // The rest are files beside the room.
    .filter((name) => !/\.tsx?$/.test(name));
  return new Set(names);
}

function folderSeenFrom(room: string, target: string): string {
  const { folder, to } = neighbors(`${room}/`, target);
  return folder === "" && room.includes("/") ? `src/${to}` : to;
}

/** The folders in the sentence of an opening comment that starts with "It imports". */
function foldersNamedIn(comment: string): Set<string> {
  const [, sentence = ""] = /\bIt imports (.*?)\.(?= |$)/.exec(comment) ?? [];
  const quoted = [...sentence.matchAll(/`([^`]+)`/g)].map(([, name]) => String(name));
  const folders = quoted.filter((name) => !name.includes(".") && !COMMON_ROOMS.test(`${name}/`));
  return new Set(sentence.includes(MAIN_ENTRY) ? [...folders, MAIN_ENTRY] : folders);
}

type Function = ts.FunctionLikeDeclaration & { readonly body: ts.Node };

function functionsIn(root: ts.Node): Function[] {
  const found: Function[] = [];
  const visit = (node: ts.Node): void => {
    // A node of this kind that has a body is one.
    if (ts.isFunctionLike(node) && "body" in node && node.body) found.push(node as Function);
    ts.forEachChild(node, visit);
  };
  visit(root);
  return found;
}

/** How many functions in a function use a variable of it that changes: one with `let`, or a new collection. */
function sharedStateOf({ body }: Function): number {
  const state = new Set<string>();
  const inner: ts.Node[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isClassLike(node)) return;
    if (ts.isFunctionLike(node)) {
      inner.push(node);
      return;
    }
    if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && isState(node)) state.add(node.name.text);
    ts.forEachChild(node, visit);
  };
  ts.forEachChild(body, visit);
  if (state.size === 0) return 0;
  const uses = (node: ts.Node): boolean =>
    (ts.isIdentifier(node) && state.has(node.text) && !isPropertyName(node)) ||
    (ts.forEachChild(node, (child) => uses(child) || undefined) ?? false);
  return inner.filter(uses).length;
}

function isState({ parent, initializer }: ts.VariableDeclaration): boolean {
  const isLet = (parent.flags & ts.NodeFlags.Const) === 0;
  const isEmpty =
    initializer &&
    ((ts.isArrayLiteralExpression(initializer) && initializer.elements.length === 0) ||
      (ts.isObjectLiteralExpression(initializer) && initializer.properties.length === 0));
  return isLet || isEmpty === true || (initializer !== undefined && ts.isNewExpression(initializer));
}

const isPropertyName = (node: ts.Identifier) => ts.isPropertyAccessExpression(node.parent) && node.parent.name === node;

/** Longer than a line of code may be. A table, and a comment that switches off a check, can't be wrapped. */
const isWideComment = (line: string) => line.length > 120 && /^\s*(\/\/(?! biome-ignore)|\*(?! \|)|\/\*\*) /.test(line);

describe("files", () => {
  test("a source file has at most about 220 lines", () => {
    const long = sources
      .map(({ path, text }) => ({ path, lines: text.split("\n").length }))
      .filter(({ lines }) => lines > 235)
      .map(({ path, lines }) => `src/${path} has ${lines} lines`);
    expect(long, "move a part that stands alone to its own file").toEqual([]);
  });

  test("no function has more than 60 lines", () => {
    const long = sources.flatMap(({ path, text }) => {
      const file = syntaxOf(path, text);
      const lineAt = (position: number) => file.getLineAndCharacterOfPosition(position).line + 1;
      return functionsIn(file).flatMap((node) => {
        const first = lineAt(node.getStart(file));
        const lines = lineAt(node.end) - first + 1;
        const { name } = ts.isVariableDeclaration(node.parent) ? node.parent : node;
        return lines > 60 ? [`src/${path}:${first} ${name?.getText(file) ?? "a function"} has ${lines} lines`] : [];
      });
    });
    expect(long, "split it").toEqual([]);
  });

  test("no function has more than three inner functions that share its state", () => {
    // Stores are plain objects, because programs spread one and replace a method.
    const stores = ["agents/memory-executions.ts", "webhooks/dedupe-store.ts"];
    const closures = sources
      .filter(({ path }) => !stores.includes(path))
      .flatMap(({ path, text }) => functionsIn(syntaxOf(path, text)).map((node) => ({ path, node })))
      .filter(({ node }) => sharedStateOf(node) > 3);
    const named = closures.map(({ path, node }) => `src/${path} ${node.getText().slice(0, 60)}: make it a class`);
    expect(named).toEqual([]);
  });

  test("no two of them have a type of the same name", () => {
    const files = new Map<string, Set<string>>();
    for (const { path, text } of sources) {
      const isNamed = (node: ts.Node) =>
        ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node) || ts.isClassDeclaration(node);
      for (const statement of syntaxOf(path, text).statements) {
        const name = isNamed(statement) ? (statement as ts.ClassDeclaration).name?.text : undefined;
        if (name !== undefined) files.set(name, (files.get(name) ?? new Set()).add(`src/${path}`));
      }
    }
    expect(
      [...files].filter(([, paths]) => paths.size > 1),
      "rename one of them",
    ).toEqual([]);
  });

  test("a line of a comment has at most 120 characters", () => {
    const wide = sources.flatMap(({ path, text }) =>
      text
        .split("\n")
        .flatMap((line, index) => (isWideComment(line) ? [`src/${path}:${index + 1} has ${line.length}`] : [])),
    );
    expect(wide, "wrap them by hand: the formatter doesn't").toEqual([]);
  });

  const opened = sources.flatMap(({ path, text }) => {
    const [comment = ""] = /^(\/\/ .*\n)+/.exec(text) ?? [];
    const lines = comment.trimEnd().split("\n");
    const opening = { path, folder: dirname(path), lines, comment: lines.map((line) => line.slice(3)).join(" ") };
    return /^The room\b/.test(opening.comment) ? [opening] : [];
  });

  test("each room has one file that opens with the room's purpose, its imports, and where to start", () => {
    const rooms = new Set(sources.map(({ path }) => dirname(path)));
    rooms.delete(".");
    // A resource's folder is explained by the doc of its class.
    for (const { path } of sources) if (/^resources\/[^/]+\/endpoints\.ts$/.test(path)) rooms.delete(dirname(path));
    expect([...rooms].filter((room) => !opened.some(({ folder }) => folder === room))).toEqual([]);
    expect(new Set(opened.map(({ folder }) => folder)).size).toBe(opened.length);
    expect(opened.filter(({ comment }) => !/^The room of .*\bIt imports\b.*\bStart here\b/.test(comment))).toEqual([]);
    expect(opened.filter(({ lines }) => lines.length > 4)).toEqual([]);
  });

  test("the architecture page says to start at the files that open with their rooms", () => {
    const rows = [...readFileSync("docs/architecture.md", "utf8").matchAll(/^\| `([\w-]+)` \|.*\| `(\S+)` \|$/gm)];
    const starts = rows.map(([, room, start]) => `${room}/${start}`);
    const rooms = readdirSync("src", { withFileTypes: true }).filter((entry) => entry.isDirectory());
    expect(starts).toHaveLength(rooms.length);
    expect(starts.filter((start) => !opened.some(({ path }) => path === start))).toEqual([]);
  });

  test("a room's opening comment names the folders that its files import", () => {
    const wrong = opened.flatMap(({ path, folder, comment }) => {
      const named = foldersNamedIn(comment);
      const imported = foldersImportedBy(folder);
      return [
        ...[...imported].filter((name) => !named.has(name)).map((name) => `${path} omits ${name}`),
        ...[...named]
          .filter((name) => !imported.has(name))
          .map((name) => `${path} names ${name}, which the room doesn't import`),
      ];
    });
    expect(wrong).toEqual([]);
  });

  test("a file is named in kebab-case", () => {
    expect(sources.map(({ path }) => path).filter((path) => !/^([a-z0-9-]+\/)*[a-z0-9-]+\.tsx?$/.test(path))).toEqual(
      [],
    );
  });

  test.each(Object.entries(repeated()))("%s lists the entries of scripts/entries.ts", (path, text) => {
    expect(readFileSync(path, "utf8").replaceAll("\r", ""), "run npm run write").toBe(text);
  });

  test("only entry points are barrels", () => {
    const entries = ENTRIES.map(({ source }) => source);
    const barrels = sources.filter(({ path, text }) => path.endsWith("index.ts") && /^export .* from /m.test(text));
    expect(barrels.map(({ path }) => path).filter((path) => !entries.includes(`src/${path}`))).toEqual([]);
  });
});

describe("code", () => {
  const offendersOf = (pattern: RegExp, among = sources) =>
    among.flatMap(({ path, text }) =>
      text.split("\n").flatMap((line, index) => (pattern.test(line) ? [`${path}:${index + 1} ${line.trim()}`] : [])),
    );

  test("zod is imported as a namespace, and as zod/mini", () => {
    expect(offendersOf(/import \{ z \}|import z /)).toEqual([]);
    expect(sources.filter(({ imports }) => imports.some(({ target }) => target === "zod"))).toEqual([]);
  });

  test("schemas never change values", () => {
    const schemas = sources.filter(({ path }) => SHAPES.test(path));
    expect(offendersOf(/z\.(transform|_default|prefault|coerce|catch|looseObject|preprocess|pipe)\b/, schemas)).toEqual(
      [],
    );
  });

  test("a response enum is open", () => {
    const closed = sources
      .filter(({ path }) => SHAPES.test(path))
      .flatMap(({ path, text }) => {
        const answers = [...text.matchAll(/^export const (\w+) = object\(\{\n([\s\S]*?)\n\}\);/gm)];
        return answers.filter(([, , body]) => body?.includes("z.enum(")).map(([, name]) => `${path} ${name}`);
      });
    expect(closed).toEqual([]);
  });

  test("a field's doc is on its own line, so editors show it", () => {
    expect(offendersOf(/[{,(]\s*\/\*\*.*\*\/\s*\w+[?]?:/)).toEqual([]);
  });

  test("nothing is any, and no check is switched off", () => {
    expect(offendersOf(/\bas any\b|: any\b|<any>|@ts-(ignore|nocheck|expect-error)|oxlint-disable/)).toEqual([]);
  });

  /** The lines of the sources with such a node, and the lines above. Only files with the text are parsed. */
  function linesWith(pattern: RegExp, isWanted: (node: ts.Node) => boolean): { line: string; above: string[] }[] {
    return sources
      .filter(({ text }) => pattern.test(text))
      .flatMap(({ path, text }) => {
        const file = syntaxOf(path, text);
        const lines = text.split("\n");
        const found: { line: string; above: string[] }[] = [];
        const visit = (node: ts.Node): void => {
          if (isWanted(node)) {
            const place = ts.isAsExpression(node) ? node.type : node;
            const { line } = file.getLineAndCharacterOfPosition(place.getStart());
            const above = lines.slice(Math.max(0, line - 4), line + 1);
            found.push({ line: `${path}:${line + 1} ${lines[line]?.trim()}`, above });
          }
          ts.forEachChild(node, visit);
        };
        visit(file);
        return found;
      });
  }

  test("a cast says why it holds", () => {
    const isComment = (line: string) => /^\s*(\/\/|\*|\/\*\*)|\/\/ /.test(line);
    const casts = linesWith(
      /[\w)\]}>"'`] as (?!const\b)/,
      (node) => ts.isAsExpression(node) && node.type.getText() !== "const",
    );
    expect(casts.length).toBeGreaterThan(10);
    expect(casts.filter(({ above }) => !above.some(isComment)).map(({ line }) => line)).toEqual([]);
  });

  test("no array is spread into arguments: a long one overflows the stack", () => {
    const spreads = linesWith(
      /[(,]\s*\.\.\./,
      (node) =>
        ts.isSpreadElement(node) &&
        (ts.isCallExpression(node.parent) || ts.isNewExpression(node.parent)) &&
        !/^[A-Z][A-Z\d_]*$/.test(node.expression.getText()),
    ).map(({ line }) => line);
    // Redis takes the few keys and arguments of a script only in this form.
    expect(spreads.filter((line) => !line.startsWith("stores/redis-client.ts"))).toEqual([]);
  });

  test("a path is built in one place", () => {
    const builders = sources.filter(({ text }) => /encodeURIComponent\(/.test(text)).map(({ path }) => path);
    expect(builders.filter((path) => path.startsWith("resources/") || path.startsWith("client/"))).toEqual([
      "client/call/request.ts",
    ]);
  });

  test("no module of the emulator has mutable state", () => {
    expect(
      offendersOf(
        /^(export )?let /,
        sources.filter(({ path }) => path.startsWith("emulator/")),
      ),
    ).toEqual([]);
  });
});

/** Folders of `test/` for more than one folder of `src/`, or for none. */
const SUBJECTS = [
  ...["agreement", "examples", "faults", "package", "planted", "programs", "runtimes", "scripts", "search", "site"],
  ...["support", "voice"],
];

describe("tests", () => {
  const tests = filesBelow("test").filter((path) => path !== "code-rules.test.ts" && !path.endsWith(".gen.ts"));

  test("no test mocks a module, patches a global or sleeps", () => {
    const pattern = /vi\.(mock|doMock|stubGlobal|spyOn\(globalThis)|setTimeout\([^)]*,\s*\d{3,}/;
    expect(tests.filter((path) => pattern.test(readFileSync(join("test", path), "utf8")))).toEqual([]);
  });

  test("a folder mirrors one of src", () => {
    const folders = ["test", "test/client", "test/emulator", "test/resources"].flatMap((parent) =>
      readdirSync(parent, { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map(({ name }) => `${parent}/${name}`),
    );
    const strange = folders.filter((path) => !existsSync(path.replace(/^test/, "src")));
    expect(strange.map((path) => path.replace("test/", ""))).toEqual(SUBJECTS);
  });

  test("a test file has at most 400 lines", () => {
    const long = tests.filter((path) => readFileSync(join("test", path), "utf8").split("\n").length > 410);
    expect(long, "split them by subject").toEqual([]);
  });
});
