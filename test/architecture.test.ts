import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { loadedBy, neighbors, SHAPES, sources } from "./support/sources.js";

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
    files: /^agents\/inspector-reports\//,
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
      /^emulator\/engine\/(activity|event-schema|fault-schema|request-schema)\.ts$/,
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
    may: [
      /^catalog\/lock\//,
      /^errors\/mismatch-words\.ts$/,
      JSON_SCHEMA,
      /^catalog\//,
      /^client\/middleware\/tool-lock\.ts$/,
      /^index\.ts$/,
    ],
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
      // What the codes of runtimes mean.
      /^client\/attempt-failure\.ts$/,
      // Kinds and counts in messages.
      /^errors\/mismatch-words\.ts$/,
      // The shapes of an emulator's deliveries, which come from another process.
      /^emulator\/engine\/event-schema\.ts$/,
      // Sample arguments of a model.
      /^emulator\/catalog\/sample\.ts$/,
      /^zod\/mini$/,
      // How each format writes an event and is detected, and which secrets are possible.
      /^webhooks\/(keys|normalize|parse)\.ts$/,
      /^errors\/option-rules\.ts$/,
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
