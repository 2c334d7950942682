import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { beforeAll, describe, expect, inject, test } from "vitest";
import { sized } from "../support/size.js";
import { ENTRIES, nameOf } from "./entries.js";

const run = promisify(execFile);
const folder = join(inject("packed").project, "consumers");

const NEWEST = { version: "7.0", file: "node_modules/@typescript/native/bin/tsc", older: false };
/** `older` ones neither let CommonJS `require()` what is ESM only, nor understand the types of msw. */
const ALL_COMPILERS = [
  { version: "5.4", file: "test/programs/runtimes/node_modules/typescript-5.4/bin/tsc", older: true },
  { version: "5.9", file: "test/programs/runtimes/node_modules/typescript-5.9/bin/tsc", older: false },
  { version: "6.0", file: "node_modules/typescript/bin/tsc", older: false },
  NEWEST,
];
const COMPILERS = sized([NEWEST], ALL_COMPILERS);

const IMPORTS = ["use.mts", "entries.mts"];
const NODENEXT = { module: "nodenext", moduleResolution: "nodenext" };
const BUNDLER = { module: "esnext", moduleResolution: "bundler" };
const PROJECTS = COMPILERS.flatMap(({ version, file, older }) => {
  const imports = older ? IMPORTS : [...IMPORTS, "msw.mts"];
  const both = [...imports, "use.cts", "entries.cts", "msw.cts"];
  const nodenext = { kind: `nodenext, ${older ? "ESM" : "ESM and require()"}`, options: NODENEXT };
  return [
    { version, file, ...nodenext, files: older ? imports : both },
    { version, file, kind: "bundler, ESM", options: BUNDLER, files: imports },
  ];
});

/** Uses the package as its documentation shows: a call, a typed error, a webhook, the contract. */
const USE = `
  import { ApiError, NotFoundError, RateLimitError, Svc, type Tool } from "svc-sdk";
  import { checkContract } from "svc-sdk/contract";
  import { createEmulator } from "svc-sdk/emulator";
  import { type Delivery, verifyWebhook, WebhookVerificationError } from "svc-sdk/webhooks";
  const emulator = createEmulator();
  const svc = new Svc({ ...emulator.connection, use: [checkContract()] });

  export async function use(request: Request): Promise<string> {
    try {
      const tool: Tool = await svc.tools.get("GITHUB_CREATE_AN_ISSUE");
      for await (const { slug } of svc.tools.list({ limit: 3 })) if (slug === tool.slug) return slug.toLowerCase();
      const delivery: Delivery = await verifyWebhook(request, { secret: "s" });
      return delivery.kind === "known" ? delivery.version : delivery.type ?? "unknown";
    } catch (error) {
      if (error instanceof NotFoundError) return \`\${error.status satisfies number} \${error.condition ?? ""}\`;
      if (error instanceof RateLimitError) return error.retryAt?.toISOString() ?? "soon";
      if (error instanceof ApiError) return error.requestId ?? error.message;
      if (error instanceof WebhookVerificationError) return error.reason;
      throw error;
    }
  }

  // @ts-expect-error a tool is named by a text
  export const misused = svc.tools.get(5);
`;

/** A file that takes everything of these entries. */
const importing = (entries: readonly string[]) => {
  const imports = entries.map((entry, index) => `import * as entry${index} from "${nameOf(entry)}";`);
  const list = entries.map((_, index) => `entry${index}`);
  return `${imports.join("\n")}\nexport const entries: readonly object[] = [${list.join()}];\n`;
};

beforeAll(() => {
  mkdirSync(folder);
  for (const kind of ["mts", "cts"]) {
    writeFileSync(join(folder, `use.${kind}`), USE);
    writeFileSync(join(folder, `entries.${kind}`), importing(ENTRIES.filter((entry) => entry !== "./testing/msw")));
    writeFileSync(join(folder, `msw.${kind}`), importing(["./testing/msw"]));
  }
});

describe("a strict project, without skipLibCheck and without @types/node, type-checks", () => {
  for (const { version, file, kind, options, files } of PROJECTS) {
    test.skipIf(!existsSync(file))(`with TypeScript ${version}: ${kind}`, { timeout: 60_000 }, async () => {
      const compilerOptions = {
        ...options,
        target: "es2022",
        lib: ["es2022", "dom", "dom.iterable"],
        types: [],
        strict: true,
        exactOptionalPropertyTypes: true,
        noEmit: true,
      };
      const project = join(folder, `tsconfig.${version}.${options.moduleResolution}.json`);
      writeFileSync(project, JSON.stringify({ compilerOptions, files }));
      // It exits with an error where it finds one, and says what on its output.
      const { stdout } = await run(process.execPath, [file, "-p", project]).catch((error: { stdout: string }) => error);
      expect(stdout).toBe("");
    });
  }
});

/** What `npm init -y` and `tsc --init` write today: CommonJS, and no types of Node. */
const FRESH = {
  manifest: { name: "fresh", version: "1.0.0", type: "commonjs" },
  compilerOptions: {
    module: "nodenext",
    target: "esnext",
    types: [],
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    strict: true,
    verbatimModuleSyntax: true,
    isolatedModules: true,
    noUncheckedSideEffectImports: true,
    moduleDetection: "force",
    skipLibCheck: true,
  },
};

describe("the README's blocks, saved under the names they say, in what npm init and tsc --init make,", () => {
  const fresh = join(folder, "fresh");
  const readme = readFileSync("README.md", "utf8");
  const blocks = [
    ...readme.matchAll(/[Ss]ave this as `(?<name>[\w.]+)` and run `(?<command>.+)`:\n\n```ts\n(?<code>[\s\S]*?)```/g),
    ...readme.matchAll(/```ts\n(?<code>.*save this as (?<name>[\w.]+), then: (?<command>node [\w.]+).*\n[\s\S]*?)```/g),
  ].map(({ groups: { name = "", command = "", code = "" } = {} }) => ({ name, command, code }));

  beforeAll(() => {
    mkdirSync(join(fresh, "node_modules"), { recursive: true });
    symlinkSync(resolve("node_modules/openai"), join(fresh, "node_modules/openai"));
    writeFileSync(join(fresh, "package.json"), JSON.stringify(FRESH.manifest));
    for (const { name, code } of blocks) writeFileSync(join(fresh, name), code);
  });

  test.for(COMPILERS.filter(({ older }) => !older))(
    "type-check with TypeScript $version",
    async ({ file }, { skip }) => {
      if (!existsSync(file)) return skip();
      const compilerOptions = {
        ...FRESH.compilerOptions,
        noEmit: true,
        allowJs: true,
        checkJs: true,
      };
      expect(blocks.map(({ name }) => name)).toEqual(["first.mjs", "agent.mts", "receiver.mjs"]);
      // tsc --init doesn't know the types of Node.
      const files = blocks.flatMap(({ name, code }) => (code.includes('"node:') ? [] : [name]));
      writeFileSync(join(fresh, "tsconfig.json"), JSON.stringify({ compilerOptions, files }));
      const { stdout } = await run(process.execPath, [file, "-p", fresh]).catch((error: { stdout: string }) => error);
      expect(stdout).toBe("");
    },
  );

  test("run with the command they say", async () => {
    const [{ name, command } = { name: "", command: "" }] = blocks;
    expect(command).toBe(`node ${name}`);
    const { stdout } = await run(process.execPath, [name], { cwd: fresh });
    expect(stdout).toContain("https://github.example.com/octo-org/hello-world/issues/1");
  });
});
