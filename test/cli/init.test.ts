import { readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { main } from "../../src/cli/main.js";
import { svc, testTerminal } from "./run.js";
import { directoryWith as emptyFolder } from "./setups.js";

const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };
const TEMPLATES = readdirSync("examples/init/base").filter((name) => name !== "shared");

const init = (words: readonly string[], cwd: string, env: Record<string, string> = {}) =>
  svc(["init", ...words], { cwd, env });

const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();

const manifestIn = (folder: string) => JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));

describe("svc-sdk init", () => {
  test.each(TEMPLATES)("writes %s into a new folder, and prints the files and the next commands", async (template) => {
    const parent = emptyFolder();
    const { code, stdout, stderr } = await init(["my app", "--template", template], parent);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const files = filesIn(join(parent, "my app"));
    expect(files).toEqual(
      expect.arrayContaining([".gitignore", "AGENTS.md", "README.md", "dev.ts", "package.json", "tsconfig.json"]),
    );
    expect(stdout).toContain(`Wrote ${files.length} files to my app:\n${files.map((file) => `  ${file}\n`).join("")}`);
    expect(stdout).toContain("\nNext:\n  cd 'my app'\n  npm install\n  npm run dev\n");
    expect(stdout).toContain(".env");
    expect(manifestIn(join(parent, "my app"))).toMatchObject({
      type: "module",
      scripts: { dev: expect.stringMatching(/^node dev\.ts /) },
      dependencies: { "svc-sdk": `^${version}` },
    });
  });

  test("asks in a terminal, and asks again after a wrong answer", async () => {
    const cwd = emptyFolder();
    const terminal = testTerminal({ cwd, answers: ["nod", "node", " agent "] });
    expect(await main(["init", "app"], terminal)).toBe(0);
    const question = expect.stringMatching(/^Template: node \(plain Node\), hono /);
    expect(terminal.questions).toEqual([question, question, expect.stringMatching(/^Kind: agent \(a model executes/)]);
    expect(terminal.printed().stderr).toBe("Unknown template: nod. Did you mean node?\n");
    expect(filesIn(join(cwd, "app"))).toContain("task.ts");
  });

  test("names the package manager that runs it", async () => {
    const folder = emptyFolder();
    const { stdout } = await init(["--template", "node"], folder, {
      npm_config_user_agent: "pnpm/10.4.1 npm/? node/v24",
    });
    expect(stdout).toContain("\nNext:\n  pnpm install\n  pnpm run dev\n");
  });

  test("writes a receiver without --kind and a terminal, and openai only into a project with an agent", async () => {
    const folder = emptyFolder();
    const kinds = { none: [], receiver: ["receiver"], agent: ["agent"], both: ["both"] };
    for (const template of TEMPLATES) {
      const projects = await Promise.all(
        Object.entries(kinds).map(async ([name, kind]) => {
          const project = join(template, name);
          const words = [project, "--template", template, ...kind.flatMap((value) => ["--kind", value])];
          const { code, stdout } = await init(words, folder);
          expect(code).toBe(0);
          expect(stdout.includes("OPENAI_API_KEY")).toBe(name === "agent" || name === "both");
          const { dependencies, scripts } = manifestIn(join(folder, project));
          const files = filesIn(join(folder, project));
          return { files, readme: readFileSync(join(folder, project, "README.md"), "utf8"), dependencies, scripts };
        }),
      );
      const [none, receiver, agent, both] = projects;
      expect(none).toEqual(receiver);
      const parts = projects.map(({ files, readme, dependencies, scripts }) => [
        files.includes("receiver.ts") && "setup" in scripts && readme.includes("## Events"),
        "openai" in dependencies && readme.includes("## The agent") && readme.includes("OPENAI_API_KEY"),
      ]);
      expect(parts.slice(1)).toEqual([
        [true, false],
        [false, true],
        [true, true],
      ]);
      expect(agent?.files.filter((file) => /receiver|webhooks|setup|subscribe/.test(file))).toEqual([]);
      expect(both?.files).toEqual(receiver?.files);
    }
  });

  test("lists the templates if --template is missing and there is no terminal", async () => {
    const folder = emptyFolder();
    const { code, stderr } = await init([], folder);
    expect(code).toBe(2);
    expect(stderr).toBe(
      "svc-sdk: --template is missing. Pass one: node (plain Node), hono (Hono on Cloudflare Workers), next (Next.js). See svc-sdk init --help.\n",
    );
    expect(filesIn(folder)).toEqual([]);
  });

  test("has a template for each name it lists, and suggests the closest template or kind", async () => {
    const folder = emptyFolder();
    const ended = await Promise.all([
      init(["--template", "nxt"], folder),
      init(["--template", "constructor"], folder),
      init(["--template", "node", "--kind", "agents"], folder),
      init(["--template", "node", "--kind", ""], folder),
      init(["one", "two", "--template", "node"], folder),
    ]);
    expect(ended.map(({ code }) => code)).toEqual([2, 2, 2, 2, 2]);
    expect(ended.map(({ stderr }) => stderr)).toEqual([
      "svc-sdk: Unknown template: nxt. Did you mean next? See svc-sdk init --help.\n",
      expect.stringContaining("Choose one of node, hono, next."),
      "svc-sdk: Unknown kind: agents. Did you mean agent? See svc-sdk init --help.\n",
      expect.stringContaining("Choose one of agent, receiver, both."),
      expect.stringContaining("Pass one folder."),
    ]);
    expect(TEMPLATES.toSorted()).toEqual(["hono", "next", "node"]);
    expect(filesIn(folder)).toEqual([]);
  });
});

describe("svc-sdk init, in a folder with files,", () => {
  test("lists every file that exists, and writes nothing", async () => {
    const folder = emptyFolder();
    const own = { "README.md": "# Mine", app: "a file in place of a folder", "svc.ts": "" };
    for (const [name, content] of Object.entries(own)) writeFileSync(join(folder, name), content);
    const { code, stdout, stderr } = await init(["--template", "next"], folder);
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toBe(
      "svc-sdk: Nothing was written. Existing files: README.md, app/connected/route.ts, app/layout.tsx, app/page.tsx, " +
        "app/webhooks/route.ts, svc.ts. Move them, or choose another folder.\n",
    );
    expect(filesIn(folder)).toEqual(["README.md", "app", "svc.ts"]);
    expect(readFileSync(join(folder, "README.md"), "utf8")).toBe("# Mine");
  });

  test("removes what it has written if a later file can't be written", async () => {
    const folder = emptyFolder();
    symlinkSync(join(folder, "missing"), join(folder, "app"));
    const { code, stderr } = await init(["--template", "next"], folder);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^svc-sdk: Nothing was written\. E[A-Z]+: /);
    expect(filesIn(folder)).toEqual(["app"]);
  });

  test("adds scripts and dependencies to a package.json, and keeps everything it has", async () => {
    const folder = emptyFolder();
    const own = {
      name: "mine",
      type: "module",
      scripts: { test: "vitest", dev: "node dev.ts node --watch server.ts" },
      dependencies: { zod: "4.0.0", "svc-sdk": "file:../svc-sdk.tgz" },
      devDependencies: { typescript: "5.9.3" },
      engines: { node: ">=24" },
    };
    writeFileSync(join(folder, "package.json"), JSON.stringify(own, null, "\t"));
    const { code, stdout } = await init(["--template", "node"], folder);
    expect(code).toBe(0);
    expect(stdout).toContain("Added scripts and dependencies to package.json.");
    expect(stdout).not.toContain("  package.json\n");
    expect(manifestIn(folder)).toEqual({
      ...own,
      scripts: { ...own.scripts, setup: expect.any(String), start: expect.any(String), typecheck: "tsc" },
      devDependencies: { ...own.devDependencies, "@types/node": expect.any(String) },
    });
    expect(readFileSync(join(folder, "package.json"), "utf8")).toMatch(/^\{\n\t"name": "mine",\n/);
  });

  test("adds to a package.json with the byte order mark and the line ends of Windows", async () => {
    const folder = emptyFolder();
    writeFileSync(join(folder, "package.json"), '\uFEFF{\r\n  "name": "mine",\r\n  "type": "module"\r\n}\r\n');
    expect(await init(["--template", "node"], folder)).toMatchObject({ code: 0, stderr: "" });
    expect(manifestIn(folder)).toMatchObject({ name: "mine", dependencies: { "svc-sdk": `^${version}` } });
  });

  test("says what in a package.json is in the way, all at once, and writes nothing", async () => {
    const folder = emptyFolder();
    const own = '{ "type": "commonjs", "scripts": { "dev": "vite", "start": "serve" }, "dependencies": [] }';
    writeFileSync(join(folder, "package.json"), own);
    writeFileSync(join(folder, "dev.ts"), "");
    const { code, stderr } = await init(["--template", "node"], folder);
    expect(code).toBe(1);
    expect(stderr).toBe(
      "svc-sdk: Nothing was written. Existing files: dev.ts. Move them, or choose another folder. " +
        'package.json needs "type": "module". Run npm pkg set type=module. ' +
        "In package.json, dependencies must be an object. " +
        "Existing scripts in package.json: dev, start. Rename them, or choose another folder.\n",
    );
    expect(readFileSync(join(folder, "package.json"), "utf8")).toBe(own);
    expect(filesIn(folder)).toEqual(["dev.ts", "package.json"]);
  });

  test.each(["not JSON", "[]"])("rejects a package.json that contains %s", async (content) => {
    const folder = emptyFolder();
    writeFileSync(join(folder, "package.json"), content);
    const { code, stderr } = await init(["--template", "node"], folder);
    expect(code).toBe(1);
    expect(stderr).toContain("package.json isn't a JSON object. Repair it first.");
    expect(filesIn(folder)).toEqual(["package.json"]);
  });

  test("rejects a file in place of the folder", async () => {
    const folder = emptyFolder();
    writeFileSync(join(folder, "taken"), "");
    const { code, stderr } = await init(["taken", "--template", "node"], folder);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^svc-sdk: .*taken/);
    expect(filesIn(folder)).toEqual(["taken"]);
  });
});
