import { execFile } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, describe, expect, inject, test } from "vitest";
import { sized } from "../support/size.js";
import { ENTRIES, nameOf } from "./entries.js";

const run = promisify(execFile);
const folder = join(inject("packed").project, "consumers");

const NEWEST = { version: "7.0", file: "node_modules/@typescript/native/bin/tsc", older: false };
/** `older` ones neither let CommonJS `require()` what is ESM only, nor understand the types of msw. */
const ALL_COMPILERS = [
  { version: "5.4", file: "tools/runtimes/node_modules/typescript-5.4/bin/tsc", older: true },
  { version: "5.9", file: "tools/runtimes/node_modules/typescript-5.9/bin/tsc", older: false },
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
