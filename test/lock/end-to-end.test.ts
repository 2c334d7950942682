import { join, resolve } from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";
import { argumentValidator } from "../../src/arguments/index.js";
import { Svc, type ToolLock, ToolLockError, ValidationError } from "../../src/index.js";
import { rejectionOf } from "../support/client.js";
import { FIRST, project, SECOND, serve } from "./support.js";

/** A program of a user, written for the types of the first version. */
const PROGRAM = `
import { Svc } from "svc-sdk";
import lock from "./svc.lock.json" with { type: "json" };

const svc = new Svc({ lock, requireLocked: true });
const run = await svc.tools.execute("ACME_CREATE_TASK", { arguments: { title: "t" } });
export const url: string | undefined = run.successful ? run.data.url : undefined;
`;

/** What the compiler says about a program in a folder, one line for each complaint. */
function compile(folder: string): string[] {
  const program = ts.createProgram([join(folder, "program.ts"), join(folder, "svc.gen.ts")], {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    resolveJsonModule: true,
    types: [],
    typeRoots: [],
    lib: ["lib.es2023.d.ts", "lib.dom.d.ts", "lib.dom.iterable.d.ts"],
    paths: { "svc-sdk": [resolve("src/index.ts")] },
  });
  const own = program.getSourceFiles().filter(({ fileName }) => fileName.startsWith(folder));
  const complaints = own.flatMap((file) => [
    ...program.getSyntacticDiagnostics(file),
    ...program.getSemanticDiagnostics(file),
  ]);
  return complaints.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"));
}

test("generate and lock, run with types, let the service move on, see what that breaks, lock again", async () => {
  const { folder, svc: command, read, write } = project();
  const lock = (): ToolLock => JSON.parse(read("svc.lock.json"));
  write("program.ts", PROGRAM);

  const before = await serve("before");
  expect(await command("lock --toolkits acme", before)).toMatchObject({ code: 0 });
  expect(await command("generate --out svc.gen.ts", before)).toMatchObject({ code: 0 });
  expect(compile(folder)).toEqual([]);
  const types = read("svc.gen.ts");

  // The service moves on, and the program still runs what it was written for.
  const after = await serve("after");
  const options = { ...after.connection, environment: {}, requireLocked: true, validateArguments: argumentValidator() };
  const svc = new Svc({ ...options, lock: lock() });
  const create = { arguments: { title: "t" } };
  expect(await svc.tools.execute("ACME_CREATE_TASK", create)).toMatchObject({ data: { id: "task of t" } });
  expect((await svc.tools.get("ACME_CREATE_TASK")).version).toBe(FIRST);
  await rejectionOf(ToolLockError, svc.tools.execute("ACME_ARCHIVE_TASK", { arguments: { id: "1" } }));
  expect(await command("generate --out svc.gen.ts", after)).toMatchObject({ code: 0 });
  expect(read("svc.gen.ts")).toBe(types);

  expect(await command("lock --check", after)).toMatchObject({ code: 0 });
  const check = await command("lock --check --latest", after);
  expect(check).toMatchObject({ code: 3, stdout: expect.stringContaining(`the latest is ${SECOND}`) });
  const { stdout: diff } = await command("lock --diff", after);
  expect(diff).toContain("! input  added    project is new, required");
  expect(diff).toContain("! output loosened url may also be null now");

  // With the new lock the compiler finds both, and the client refuses what the compiler would have.
  expect(await command("lock", after)).toMatchObject({ code: 0 });
  expect(await command("generate --out svc.gen.ts", after)).toMatchObject({ code: 0 });
  const complaints = compile(folder);
  expect(complaints).toHaveLength(2);
  expect(complaints[0]).toContain("'project' is missing");
  expect(complaints[1]).toContain("Type 'null' is not assignable to type 'string | undefined'");
  const moved = new Svc({ ...options, lock: lock() });
  const error = await rejectionOf(ValidationError, moved.tools.execute("ACME_CREATE_TASK", create));
  expect(error.mismatches).toMatchObject([{ path: "project", seen: "missing" }]);
  const projectGiven = { arguments: { title: "t", project: "p" } };
  expect(await moved.tools.execute("ACME_CREATE_TASK", projectGiven)).toMatchObject({ successful: true });
  expect(await command("lock --check --latest", after)).toMatchObject({ code: 0 });
}, 60_000);
