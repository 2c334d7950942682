import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, inject, test } from "vitest";
import { outputOf, start } from "../examples/example-process.js";
import { freePort } from "../support/ports.js";
import { longTest } from "../support/size.js";

const run = promisify(execFile);

test("the quickstart runs against the built package and exits", { timeout: 30_000 }, async () => {
  const { stdout } = await run(process.execPath, ["examples/quickstart.ts"], { encoding: "utf8" });
  expect(stdout).toContain("Developer <developer@example.com>");
  expect(stdout).toMatch(/ac_[\w-]{12}, OAUTH2, managed: true/);
  expect(stdout).toMatch(/GITHUB_CREATE_AN_ISSUE +20251023_00/);
  expect(stdout).toContain("https://github.example.com/octo-org/hello-world/issues/1");
  expect(stdout).toContain("ToolVersionRequiredError");
  expect(stdout).toContain("did you mean GITHUB_CREATE_AN_ISSUE?");
  expect(stdout).toMatch(/status 429\n +status 200\n +succeeded at attempt 2/);
});

test("the README's snippets run", async () => {
  const { stdout } = await run(process.execPath, ["examples/readme.ts"], { encoding: "utf8" });
  const [, printed = "not in the README"] = /^\/\/ (Opened .*)$/m.exec(readFileSync("README.md", "utf8")) ?? [];
  expect(stdout).toContain(printed);
});

longTest("the first guide, followed with the packed package, ends with a received webhook", async (context) => {
  const { project } = inject("packed");
  const folder = join(project, "hello-svc");
  mkdirSync(folder);
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }));
  for (const [name, code] of programsOf("docs/guide/getting-started.md")) writeFileSync(join(folder, name), code);

  const command = join(project, "node_modules/svc-sdk/dist/cli.js");
  const emulator = start(context, [command, "emulator", "--port", "0"], {});
  const variables = ["SVC_BASE_URL", "SVC_API_KEY", "SVC_USER_API_KEY", "SVC_ORG_API_KEY"];
  const exports = variables.map((name) => emulator.line(new RegExp(`^export ${name}=`)));
  const pairs = (await Promise.all(exports)).map((line) => line.replace("export ", "").split("="));
  const environment: Record<string, string> = Object.fromEntries(pairs);

  const lines = await outputOf([join(folder, "first-call.ts")], environment);
  expect(lines).toContain("Opened https://github.example.com/octo-org/hello-world/issues/1");

  const receiver = start(context, [join(folder, "receiver.ts")], { ...environment, PORT: String(await freePort()) });
  const [trigger = ""] = (await receiver.line(/ listens for commits$/)).split(" ");
  const body = JSON.stringify({ id: "c0ffee", message: "Fix the build", author: "ada" });
  const address = `${environment["SVC_BASE_URL"]}/_emulator/triggers/${trigger}/fire`;
  expect((await fetch(address, { method: "POST", body })).status).toBe(200);
  expect(await receiver.line(/^A commit /)).toBe("A commit for user-4711: Fix the build");
  expect(await receiver.terminate()).toBe(0);
});

/** The files that a page tells its reader to save: each holds the code between this instruction and the next. */
function programsOf(page: string): [name: string, code: string][] {
  const [, ...chapters] = readFileSync(page, "utf8").split(/(?:^|\. )Save (?:this|both|the)[^`.]* as /m);
  return chapters.map((chapter) => {
    const [, name = ""] = /^`(.+?)`/.exec(chapter) ?? [];
    const code = [...chapter.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, fence]) => fence);
    return [name, code.join("\n")];
  });
}
