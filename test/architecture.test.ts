import { existsSync, globSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import ts from "typescript";
import { afterAll, describe, expect, test } from "vitest";
import { ENTRIES, repeated } from "../scripts/entries.js";

interface Import {
  /** `client/client.ts` for a source file, otherwise the package's name. */
  readonly target: string;
  readonly isTypeOnly: boolean;
  /** `import("./file.js")`: loaded when the statement runs. */
  readonly isDynamic: boolean;
}

interface SourceFile {
  /** From `src/`. */
  readonly path: string;
  readonly text: string;
  readonly imports: readonly Import[];
}

function filesBelow(folder: string): string[] {
  return globSync("**/*.{ts,tsx}", { cwd: folder, exclude: ["**/node_modules/**"] })
    .map((path) => path.replaceAll("\\", "/"))
    .sort();
}

/** A file is parsed once for all tests. Then the memory is free for other test files. */
const parsed = new Map<string, ts.SourceFile>();
afterAll(() => parsed.clear());

function syntaxOf(path: string, text: string): ts.SourceFile {
  const kind = path.endsWith("x") ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const file = parsed.get(path) ?? ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, kind);
  parsed.set(path, file);
  return file;
}

function importsOf(path: string, text: string): Import[] {
  const file = syntaxOf(path, text);
  const targetOf = (source: string) =>
    source.startsWith(".")
      ? normalize(join(dirname(path), source))
          .replaceAll("\\", "/")
          .replace(/\.js(x?)$/, ".ts$1")
      : source;
  const found: Import[] = [];
  for (const statement of file.statements) {
    if (!ts.isImportDeclaration(statement) && !ts.isExportDeclaration(statement)) continue;
    if (!statement.moduleSpecifier || !ts.isStringLiteral(statement.moduleSpecifier)) continue;
    const isTypeOnly = ts.isImportDeclaration(statement)
      ? statement.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword
      : statement.isTypeOnly;
    found.push({ target: targetOf(statement.moduleSpecifier.text), isTypeOnly, isDynamic: false });
  }
  if (!text.includes("import(")) return found;
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      const [source] = node.arguments;
      if (source && ts.isStringLiteral(source)) {
        found.push({ target: targetOf(source.text), isTypeOnly: false, isDynamic: true });
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

const sources: SourceFile[] = filesBelow("src").map((path) => {
  const text = readFileSync(join("src", path), "utf8");
  return { path, text, imports: importsOf(path, text) };
});

/** The files and packages that a file loads at once. */
function loadedBy(entry: string): Set<string> {
  const byPath = new Map(sources.map((file) => [file.path, file]));
  const loaded = new Set<string>();
  const visit = (path: string) => {
    if (loaded.has(path)) return;
    loaded.add(path);
    for (const { target, isTypeOnly, isDynamic } of byPath.get(path)?.imports ?? []) {
      if (!isTypeOnly && !isDynamic) visit(target);
    }
  };
  visit(entry);
  return loaded;
}

const SHAPES = /^resources\/(shared|[\w-]+\/[\w-]*schema)\.ts$/;
const ENDPOINTS = /^resources\/[\w-]+\/endpoints\.ts$/;
/** The functions that shapes and endpoints are written with, and the one that joins endpoints to their shapes. */
const SCHEMA_KIT = /^resources\/schema-kit\.ts$/;
const ENDPOINT_KIT = /^resources\/endpoints\.ts$/;
const OPERATION = /^resources\/operation\.ts$/;
/** The files of a resource that load no schemas. */
const RESOURCES = /^resources\/[\w-]+\/(?!.*schema\.ts$)/;
/** Interfaces that generated files extend. Types only, for the client and the receiver. */
const TYPED = /^resources\/typed-catalog\.ts$/;
const NODE_FILES =
  /^(cli\/.*|emulator\/(node|sockets|data-folder\/.*)|shared\/make-folder|undici\/.*|webhooks\/node)\.ts$/;

/** Files that all others may import. */
const COMMON = /^shared\//;
/** Rooms that the opening comments of others needn't name. */
const COMMON_ROOMS = /^(shared|errors)\//;
/** How JSON Schema is read, for everything that reads it. */
const JSON_SCHEMA = /^json-schema\//;

/** Allowed imports, by the first matching line: the structure of the package. */
const LAYERS: readonly {
  readonly files: RegExp;
  readonly may: readonly RegExp[];
  readonly types?: readonly RegExp[];
}[] = [
  { files: /^shared\/make-folder\.ts$/, may: [/^node:(fs|path)$/] },
  { files: COMMON, may: [COMMON] },
  // Its words for what doesn't match are those of every check.
  {
    files: JSON_SCHEMA,
    may: [JSON_SCHEMA, /^errors\/mismatch-words\.ts$/],
    types: [/^errors\/local\.ts$/],
  },
  { files: /^errors\//, may: [/^errors\//] },
  { files: /^client\/call\/attempt\.ts$/, may: [/^client\//, /^errors\//, /^ky$/] },
  { files: /^client\/call\/call\.ts$/, may: [/^client\//, /^errors\//, /^p-retry$/] },
  // A middleware knows the call, and no other middleware but the one that listens.
  {
    files: /^client\/middleware\//,
    may: [/^client\//, /^errors\//, /^client\/middleware\/observe\.ts$/],
  },
  { files: /^client\//, may: [/^client\//, /^errors\//] },
  { files: SCHEMA_KIT, may: [/^zod\/mini$/] },
  { files: SHAPES, may: [/^zod\/mini$/, SCHEMA_KIT, SHAPES] },
  { files: TYPED, may: [] },
  { files: ENDPOINT_KIT, may: [/^client\/endpoint\.ts$/] },
  { files: ENDPOINTS, may: [/^client\/endpoint\.ts$/, ENDPOINT_KIT], types: [SHAPES] },
  { files: OPERATION, may: [], types: [/^client\/endpoint\.ts$/, /^zod\/mini$/] },
  {
    files: /^resources\//,
    may: [/^client\//, /^errors\//, RESOURCES],
    types: [SHAPES, TYPED],
  },
  {
    files: /^(svc|index)\.ts$/,
    may: [/^svc\.ts$/, /^client\//, /^errors\//, /^client\/middleware\//, RESOURCES],
    types: [SHAPES, TYPED],
  },
  // The file through which the contract meets the call.
  {
    files: /^contract\/index\.ts$/,
    may: [/^contract\//, /^errors\/(local|option-rules)\.ts$/],
    types: [/^client\/middleware\.ts$/, SCHEMA_KIT, OPERATION],
  },
  // Loads no shapes: a program that only validates arguments needs no zod.
  {
    files: /^contract\/arguments\.ts$/,
    may: [JSON_SCHEMA, /^errors\/(local|mismatch-words|option-rules)\.ts$/],
    types: [/^client\/middleware\.ts$/],
  },
  {
    files: /^contract\//,
    may: [
      /^contract\//,
      SHAPES,
      ENDPOINTS,
      OPERATION,
      SCHEMA_KIT,
      /^errors\/(local|mismatch-words)\.ts$/,
      /^zod\/mini$/,
    ],
  },
  { files: /^webhooks\/(verify|sign)[\w-]*\.ts$/, may: [/^webhooks\//, /^errors\//, /^standardwebhooks$/] },
  {
    files: /^webhooks\//,
    may: [/^webhooks\//, /^errors\//],
    types: [/^resources\/events\/schema\.ts$/, TYPED],
  },
  {
    files: /^stores\//,
    may: [
      /^stores\//,
      /^errors\//,
      /^webhooks\/dedupe-store\.ts$/,
      /^client\/pacing\//,
      /^agents\/policy\/budget-store\.ts$/,
      /^p-retry$/,
    ],
    types: [
      /^client\/(clock|options\/options)\.ts$/,
      /^agents\/(execution-store|audit-trail|approvals\/approval-store)\.ts$/,
    ],
  },
  {
    files: /^agents\/report\//,
    may: [/^agents\//],
    types: [/^contract\/run-schema\.ts$/],
  },
  {
    files: /^agents\//,
    may: [
      /^agents\//,
      JSON_SCHEMA,
      /^errors\/(api-error|base|connection|envelope|local|mismatch-words|option-rules)\.ts$/,
      /^catalog\/lock\/hash\.ts$/,
    ],
    types: [/^index\.ts$/, /^contract\/arguments\.ts$/],
  },
  {
    files: /^otel\//,
    may: [/^otel\//, /^@opentelemetry\/api$/, /^errors\/option-rules\.ts$/, /^client\/middleware\/observe\.ts$/],
    types: [/^client\/(events|middleware)\.ts$/, /^agents\/events\.ts$/],
  },
  {
    files: /^undici\//,
    may: [/^undici\//, /^errors\/option-rules\.ts$/, /^undici$/, /^node:(stream|timers\/promises|zlib)$/],
  },
  // A page of its own: the build bundles it, and nothing imports it.
  {
    files: /^emulator\/inspector\//,
    may: [/^emulator\/inspector\//, /^preact(\/hooks)?$/],
    types: [
      /^emulator\/engine\/(activity|event-schema|schema)\.ts$/,
      /^emulator\/control-plane\/inspector-endpoints\.ts$/,
    ],
  },
  {
    files: /^emulator\//,
    may: [
      /^emulator\/(?!inspector\/)/,
      JSON_SCHEMA,
      /^catalog\/catalog\.ts$/,
      /^contract\/(check-shape|operations|run-schema)\.ts$/,
      /^client\/endpoint\.ts$/,
      /^errors\/(local|mismatch-words|option-rules)\.ts$/,
      // The same rule as the client shows its users.
      /^resources\/connected-accounts\/acl\.ts$/,
      SCHEMA_KIT,
      // Records of the state, and what they share with the service's.
      SHAPES,
      /^webhooks\/(normalize|sign)\.ts$/,
      /^zod\/mini$/,
      /^hono(\/hono-base|\/router\/trie-router)?$/,
      /^@hono\/node-server$/,
      /^@modelcontextprotocol\/server$/,
      /^node:/,
    ],
    types: [OPERATION],
  },
  {
    files: /^catalog\/generate\//,
    may: [/^catalog\/generate\//, /^catalog\//, /^errors\/mismatch-words\.ts$/, JSON_SCHEMA],
  },
  {
    files: /^catalog\/lock\//,
    may: [/^catalog\/lock\//, JSON_SCHEMA, /^catalog\//, /^client\/middleware\/tool-lock\.ts$/, /^index\.ts$/],
  },
  { files: /^catalog\//, may: [/^catalog\//, /^(index|errors\/local)\.ts$/, SCHEMA_KIT, SHAPES, /^zod\/mini$/] },
  {
    files: /^(cli|testing)\//,
    may: [
      /^(cli|testing)\//,
      /^catalog\//,
      /^(index|agents\/(policy-entry|schema\/index)|emulator\/(index|node)|contract\/(index|openapi)|webhooks\/index)\.ts$/,
      // The nodes of the contract's schemas.
      JSON_SCHEMA,
      // Kinds and counts in messages.
      /^errors\/mismatch-words\.ts$/,
      // The shapes of an emulator's deliveries, which come from another process.
      /^emulator\/engine\/event-schema\.ts$/,
      // Sample arguments of a model.
      /^emulator\/catalog\/sample\.ts$/,
      /^zod\/mini$/,
      // How each format writes an event.
      /^webhooks\/normalize\.ts$/,
      /^errors\/option-rules\.ts$/,
      // Which recorded decisions rules have made.
      /^agents\/policy\/reasons\.ts$/,
      // The names of the targets and of the outcomes.
      /^agents\/(schema\/targets|decision)\.ts$/,
      /^node:/,
      /^msw$/,
    ],
    // The contracts of stores know the interfaces, which are public.
    types: [/^(agents|stores)\/index\.ts$/],
  },
];

/**
 * Folders of the emulator, lowest first. A folder imports itself and those before it; the files beside the folders,
 * which are its public surface, import all of them.
 */
const EMULATOR_FOLDERS = [
  "catalog", // definitions of toolkits, their versions, the built-in ones
  "engine", // HTTP, authentication, rate limit, faults, clock, and the state: the records of all resources
  // Resources: handlers.ts, and what they need.
  ...["projects", "toolkits", "logs", "deliveries", "webhooks"],
  ...["connected-accounts", "auth-configs", "triggers", "files", "tools", "mcp", "tool-router"],
  "assembly", // joins the handlers, and makes an emulator of them
  "data-folder", // keeps the state in files
  "control-plane", // the emulator's own HTTP API, for other processes and the inspector
  "inspector", // the page at the emulator's root
];

/** The deepest folder that contains both files, and its children to which the files belong. */
function neighbors(path: string, target: string): { folder: string; from: string; to: string } {
  const [left, right] = [path.split("/"), target.split("/")];
  const depth = left.findIndex((name, index) => name !== right[index]);
  return { folder: left.slice(0, depth).join("/"), from: String(left[depth]), to: String(right[depth]) };
}

function circlesIn(graph: ReadonlyMap<string, ReadonlySet<string>>): string[][] {
  const finished = new Set<string>();
  const circleFrom = (name: string, trail: readonly string[]): string[] | undefined => {
    if (trail.includes(name)) return [...trail.slice(trail.indexOf(name)), name];
    if (finished.has(name)) return undefined;
    for (const next of graph.get(name) ?? []) {
      const circle = circleFrom(next, [...trail, name]);
      if (circle) return circle;
    }
    finished.add(name);
    return undefined;
  };
  return [...graph.keys()].flatMap((name) => {
    const circle = circleFrom(name, []);
    return circle ? [circle] : [];
  });
}

describe("layers", () => {
  test("every file imports only from its own layer and below", () => {
    const offences = sources.flatMap(({ path, imports }) => {
      const layer = LAYERS.find(({ files }) => files.test(path));
      if (!layer) return [`${path} belongs to no layer`];
      return imports
        .filter(({ target, isTypeOnly }) => {
          const allowed = isTypeOnly ? [...layer.may, ...(layer.types ?? [])] : layer.may;
          return ![COMMON, ...allowed].some((pattern) => pattern.test(target));
        })
        .map(({ target, isTypeOnly }) => `${path} must not import ${isTypeOnly ? "types from " : ""}${target}`);
    });
    expect(offences).toEqual([]);
  });

  test("every permission is used", () => {
    const layerOf = (path: string) => LAYERS.find(({ files }) => files.test(path));
    const unused = LAYERS.flatMap((layer) => {
      const targets = sources
        .filter(({ path }) => layerOf(path) === layer)
        .flatMap(({ imports }) => imports.map(({ target }) => target));
      return [...layer.may, ...(layer.types ?? [])]
        .filter((pattern) => !targets.some((target) => pattern.test(target)))
        .map((pattern) => `${layer.files} imports nothing like ${pattern}`);
    });
    expect(unused).toEqual([]);
  });

  test("no folders and no files beside each other import each other in a circle, types included", () => {
    const byFolder = new Map<string, Map<string, Set<string>>>();
    const paths = new Set(sources.map(({ path }) => path));
    for (const { path, imports } of sources) {
      for (const { target } of imports) {
        if (!paths.has(target) || target === path) continue;
        const { folder, from, to } = neighbors(path, target);
        const graph = byFolder.get(folder) ?? new Map<string, Set<string>>();
        byFolder.set(folder, graph.set(from, (graph.get(from) ?? new Set()).add(to)));
      }
    }
    const circles = [...byFolder].flatMap(([folder, graph]) =>
      circlesIn(graph).map((circle) => `${folder || "src"}: ${circle.join(" -> ")}`),
    );
    expect(circles).toEqual([]);
  });

  test("no folder of the emulator imports one above it", () => {
    // -1 is a file next to the folders, or a folder that is missing in the table.
    const rankOf = (path: string) => EMULATOR_FOLDERS.indexOf(/^emulator\/([^/]+)\//.exec(path)?.[1] ?? "");
    const files = sources.filter(({ path }) => path.startsWith("emulator/"));
    const missing = files.filter(({ path }) => path.split("/").length > 2 && rankOf(path) === -1);
    expect(missing.map(({ path }) => path)).toEqual([]);
    const upward = files
      .filter(({ path }) => rankOf(path) !== -1)
      .flatMap(({ path, imports }) =>
        imports
          .filter(({ target }) => target.startsWith("emulator/"))
          .filter(({ target }) => rankOf(target) === -1 || rankOf(target) > rankOf(path))
          .map(({ target }) => `${path} must not import ${target}`),
      );
    expect(upward).toEqual([]);
  });

  test("node: is imported only by files that serve a port or a terminal", () => {
    const offenders = sources.filter(
      ({ path, imports }) => !NODE_FILES.test(path) && imports.some(({ target }) => target.startsWith("node:")),
    );
    expect(offenders.map(({ path }) => path)).toEqual([]);
  });

  test("only bin.ts of the command touches the process", () => {
    const touching = sources.filter(
      ({ path, text, imports }) =>
        path.startsWith("cli/") &&
        (/(?<!-)\bprocess[.[]|\bglobalThis\b|\bconsole\./.test(text.replace(/^\s*(\/\/|\*|\/\*).*$/gm, "")) ||
          imports.some(({ target }) => /^(node:)?(process|tty|readline)$/.test(target))),
    );
    expect(touching.map(({ path }) => path)).toEqual(["cli/bin.ts"]);
  });

  test("the client loads no zod, hono or JSON Schema validator at run time", () => {
    const reached = loadedBy("index.ts");
    expect([...reached].filter((path) => /zod|hono|schema-kit|^contract|^json-schema/.test(path))).toEqual([]);
    expect(reached).toContain("client/call/attempt.ts");
  });

  test("a toolset loads nothing that evaluates calls: a policy brings that", () => {
    const reached = loadedBy("agents/index.ts");
    expect([...reached].filter((path) => /^agents\/(policy|approvals|adapters)\//.test(path))).toEqual([]);
    expect(reached).toContain("agents/call/send-once.ts");
    expect(loadedBy("agents/policy-entry.ts")).toContain("agents/policy/evaluate-call.ts");
  });

  test("the emulator loads the MCP library only when an MCP client calls", () => {
    const reached = loadedBy("emulator/node.ts");
    expect(
      [...reached].filter((path) => /modelcontextprotocol|on-demand|emulator\/(mcp|tool-router)\//.test(path)),
    ).toEqual([]);
    expect(reached).toContain("emulator/assembly/handlers.ts");
    const onDemand = loadedBy("emulator/assembly/lazy-parts.ts");
    expect([...onDemand].filter((path) => /modelcontextprotocol|mcp-server/.test(path))).toEqual([]);
    expect(onDemand).toContain("emulator/tool-router/mcp-endpoint.ts");
    // Alone, so that the build makes no file of what it would share with the others.
    expect(loadedBy("emulator/tool-router/mcp-server.ts")).toEqual(
      new Set(["emulator/tool-router/mcp-server.ts", "@modelcontextprotocol/server"]),
    );
  });

  test("schemas share the schemas of plain types", () => {
    const offenders = sources.filter(
      ({ path, text }) =>
        path.startsWith("resources/") && !SCHEMA_KIT.test(path) && /z\.(string|boolean|number|unknown)\(\)/.test(text),
    );
    expect(offenders.map(({ path }) => path)).toEqual([]);
  });

  test("every imported package is a dependency, or is bundled into its entry point", () => {
    // The file is ours, and both of its tables are there.
    const { dependencies, peerDependencies } = JSON.parse(readFileSync("package.json", "utf8")) as Record<
      "dependencies" | "peerDependencies",
      Record<string, string>
    >;
    const known = { ...dependencies, ...peerDependencies };
    const bundled = [
      "hono",
      "hono/hono-base",
      "hono/router/trie-router",
      "@hono/node-server",
      "@modelcontextprotocol/server",
      "preact",
      "preact/hooks",
    ];
    const packages = new Set(
      sources
        .flatMap(({ imports }) => imports.map(({ target }) => target))
        .filter((target) => !/\.tsx?$|^node:/.test(target)),
    );
    const unknown = [...packages].filter((name) => !(name.replace(/\/mini$/, "") in known) && !bundled.includes(name));
    expect(unknown).toEqual([]);
  });
});

/**
 * The folders that the files of a room import: rooms beside it by name, and folders of `src` from a deeper room as
 * `src/contract`, because a resource's room of the emulator can have the same name.
 */
function foldersImportedBy(room: string): Set<string> {
  const inRoom = sources.filter(({ path }) => dirname(path) === room);
  const paths = new Set(sources.map(({ path }) => path));
  const names = inRoom.flatMap(({ path, imports }) =>
    imports
      .filter(({ target }) => paths.has(target) && !COMMON_ROOMS.test(target) && !target.startsWith(`${room}/`))
      .map(({ target }) => neighbors(path, target))
      // The rest are files beside the room.
      .filter(({ to }) => !/\.tsx?$/.test(to))
      .map(({ folder, to }) => (folder === "" && room.includes("/") ? `src/${to}` : to)),
  );
  return new Set(names);
}

/** The folders in the sentence of an opening comment that starts with "It imports". */
function foldersNamedIn(comment: string): Set<string> {
  const [, sentence = ""] = /\bIt imports (.*?)\.(?= |$)/.exec(comment) ?? [];
  const names = [...sentence.matchAll(/`([^`]+)`/g)].map(([, name]) => String(name));
  return new Set(names.filter((name) => !name.includes(".") && !COMMON_ROOMS.test(`${name}/`)));
}

/** Longer than a line of code may be. A table, and a comment that switches off a check, can't be wrapped. */
const isWideComment = (line: string) => line.length > 120 && /^\s*(\/\/(?! biome-ignore)|\*(?! \|)|\/\*\*) /.test(line);

describe("files", () => {
  test("a source file has at most about 220 lines", () => {
    const long = sources
      .map(({ path, text }) => ({ path, lines: text.split("\n").length }))
      .filter(({ lines }) => lines > 235);
    expect(long).toEqual([]);
  });

  test("no function has more than 60 lines", () => {
    const long = sources.flatMap(({ path, text }) => {
      const file = syntaxOf(path, text);
      const lineAt = (position: number) => file.getLineAndCharacterOfPosition(position).line + 1;
      const found: string[] = [];
      const visit = (node: ts.Node): void => {
        if (ts.isFunctionLike(node) && "body" in node && node.body) {
          const first = lineAt(node.getStart(file));
          const lines = lineAt(node.end) - first + 1;
          const { name } = ts.isVariableDeclaration(node.parent) ? node.parent : node;
          if (lines > 60) found.push(`${path}:${first} ${name?.getText(file) ?? "a function"} has ${lines} lines`);
        }
        ts.forEachChild(node, visit);
      };
      visit(file);
      return found;
    });
    expect(long).toEqual([]);
  });

  test("no two of them have a type of the same name", () => {
    const files = new Map<string, Set<string>>();
    for (const { path, text } of sources) {
      const isNamed = (node: ts.Node) =>
        ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node) || ts.isClassDeclaration(node);
      for (const statement of syntaxOf(path, text).statements) {
        const name = isNamed(statement) ? (statement as ts.ClassDeclaration).name?.text : undefined;
        if (name !== undefined) files.set(name, (files.get(name) ?? new Set()).add(path));
      }
    }
    expect([...files].filter(([, paths]) => paths.size > 1)).toEqual([]);
  });

  test("a comment fits the formatter's width", () => {
    const wide = sources.flatMap(({ path, text }) =>
      text.split("\n").flatMap((line, index) => (isWideComment(line) ? [`${path}:${index + 1} ${line.trim()}`] : [])),
    );
    expect(wide).toEqual([]);
  });

  const opened = sources.flatMap(({ path, text }) => {
    const [comment = ""] = /^(\/\/ .*\n)+/.exec(text) ?? [];
    const lines = comment.trimEnd().split("\n");
    const opening = { path, folder: dirname(path), lines, comment: lines.map((line) => line.slice(3)).join(" ") };
    return /^The room (of|that) /.test(opening.comment) ? [opening] : [];
  });

  test("each room has one file that opens with the room's purpose, its imports, and where to start", () => {
    const folders = sources.map(({ path }) => dirname(path)).filter((folder) => folder !== ".");
    // All folders of `resources` have the same files.
    const large = folders.filter(
      (name) => !name.startsWith("resources/") && folders.filter((other) => other === name).length > 4,
    );
    const rooms = new Set([...folders.map((name) => name.split("/")[0]), ...large]);
    const closed = [...rooms].filter((room) => !opened.some(({ folder }) => `${folder}/`.startsWith(`${room}/`)));
    expect(closed).toEqual([]);
    expect(new Set(opened.map(({ folder }) => folder)).size).toBe(opened.length);
    expect(opened.filter(({ comment }) => !/\bIt imports\b.*\b[Ss]tart\b/.test(comment))).toEqual([]);
    expect(opened.filter(({ lines }) => lines.length > 4)).toEqual([]);
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
  const tests = filesBelow("test").filter((path) => path !== "architecture.test.ts" && !path.endsWith(".gen.ts"));

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
    expect(tests.filter((path) => readFileSync(join("test", path), "utf8").split("\n").length > 410)).toEqual([]);
  });
});
