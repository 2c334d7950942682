import { mkdirSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import type { RunningEmulator } from "../../../src/emulator/node.js";
import { FIRST, project, SECOND, serve } from "./support.js";

const COMPILER = resolve("node_modules/@typescript/native/bin/tsc");

/** A user's program, written for the types of the first version. */
const PROGRAM = `
import { Svc, toolLock } from "svc-sdk";
import { validateArguments } from "svc-sdk/arguments";
import type { ACME_CREATE_TASK } from "./svc.gen.js";
import lock from "./svc.lock.json" with { type: "json" };

const svc = new Svc({ use: [toolLock(lock, { rejectUnlocked: true }), validateArguments()] });
const { version } = await svc.tools.get("ACME_CREATE_TASK");
const run = await svc.tools.execute("ACME_CREATE_TASK", { arguments: { title: "t" } });
const url: string | undefined = run.successful ? run.data.url : undefined;
console.log(version, run.successful && run.data.id, url);

// @ts-expect-error the first version has no urgent
export const priority: ACME_CREATE_TASK.Arguments["priority"] = "urgent";
`;

/** The same program, written for the second version. */
const ADAPTED = PROGRAM.replace(/\/\/ @ts-expect-error.*\n/, "")
  .replaceAll('title: "t"', 'title: "t", project: "p"')
  .replace("const url: string | undefined", "const url: string | null | undefined");

const text = { type: "string" };
const ACME_CREATE_TASK = {
  input: {
    type: "object",
    properties: { title: text, project: text, priority: { enum: ["low", "high", "urgent"] } },
    required: ["title", "project"],
  },
  output: { type: "object", properties: { id: text, url: { type: ["string", "null"] } }, required: ["id", "url"] },
};

const CONFIG = {
  compilerOptions: {
    strict: true,
    noEmit: true,
    target: "es2023",
    lib: ["es2023", "dom", "dom.iterable", "dom.asynciterable"],
    module: "nodenext",
    resolveJsonModule: true,
    types: [],
  },
  files: ["program.ts", "svc.gen.ts"],
};

/** A folder with the built package and the program. */
function installed() {
  const { folder, node, ...rest } = project();
  mkdirSync(join(folder, "node_modules"));
  symlinkSync(resolve("."), join(folder, "node_modules/svc-sdk"));
  rest.write("package.json", '{ "type": "module" }');
  rest.write("tsconfig.json", JSON.stringify(CONFIG));
  rest.write("program.ts", PROGRAM);
  /** The compiler's errors, one line each. */
  const compile = async () => {
    const { stdout } = await node([COMPILER, "-p", "."]);
    return stdout.split("\n").filter((line) => line.includes("error TS"));
  };
  return { ...rest, compile, execute: (service: RunningEmulator) => node(["program.ts"], service) };
}

test("generates types, checks and compares them with the service's next version, and locks that", async () => {
  const { svc, read, write, compile, execute } = installed();
  const service = await serve("before");
  expect(await svc("lock --toolkits acme", service)).toMatchObject({ code: 0 });
  expect(await svc("generate --out svc.gen.ts", service)).toMatchObject({ code: 0 });
  expect(await compile()).toEqual([]);
  const ran = { code: 0, stdout: `${FIRST} task of t https://acme.example.com/1\n` };
  expect(await execute(service)).toMatchObject(ran);
  expect(await svc("lock --check", service)).toMatchObject({ code: 0 });

  // The service publishes a new version. The locked one still runs and still has these types.
  const types = read("svc.gen.ts");
  service.catalog.publish("acme", SECOND, { tools: { ACME_CREATE_TASK } });
  expect(await execute(service)).toMatchObject(ran);
  expect(await svc("generate --out svc.gen.ts", service)).toMatchObject({ code: 0 });
  expect(read("svc.gen.ts")).toBe(types);

  const check = await svc("lock --check", service);
  expect(check).toMatchObject({ code: 3, stdout: expect.stringMatching(/^changed {2}ACME_CREATE_TASK {2}/) });
  const { stdout: diff } = await svc("lock --diff", service);
  expect(diff.split("\n")).toEqual([
    `! ACME_CREATE_TASK changed (${FIRST} -> ${SECOND})`,
    '    input  loosened priority can now also be "urgent"',
    "  ! input  added    project is new, required",
    "  ! output loosened url can now also be null",
    "",
    "1 tool differs from the lockfile, 1 breaking.",
    "",
  ]);

  // With only the new lockfile, the client rejects the program's arguments.
  expect(await svc("lock", service)).toMatchObject({ code: 0 });
  expect(await svc("lock --check", service)).toMatchObject({ code: 0 });
  const refused = await execute(service);
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringMatching(/ValidationError: .*project/) });

  // With the new types, the compiler does too, and accepts what it rejected before.
  expect(await svc("generate --out svc.gen.ts", service)).toMatchObject({ code: 0 });
  expect(await compile()).toEqual([
    expect.stringContaining("Property 'project' is missing"),
    expect.stringContaining("Type 'string | null | undefined' is not assignable to type 'string | undefined'"),
    expect.stringContaining("Unused '@ts-expect-error' directive."),
  ]);
  write("program.ts", ADAPTED);
  expect(await compile()).toEqual([]);
  expect(await execute(service)).toMatchObject({ code: 0, stdout: ran.stdout.replace(FIRST, SECOND) });
}, 120_000);
