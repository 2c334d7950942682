import { resolve } from "node:path";
import { createInterface } from "node:readline/promises";
import { nearestName } from "../shared/nearest-name.js";
import { quoted } from "./doctor/finding.js";
import { projectFor } from "./init/project.js";
import { writeProject } from "./init/write-project.js";
import { parseArguments, UsageError } from "./parse-options.js";
import { print } from "./print.js";

/** The templates. Their files are in examples/init. */
const TEMPLATES: Readonly<Record<string, string>> = {
  node: "plain Node",
  hono: "Hono on Cloudflare Workers",
  next: "Next.js",
};

const LIST = Object.entries(TEMPLATES).map(([name, meaning]) => `${name} (${meaning})`);

const HELP = `svc-sdk init: start a project

Usage
  svc-sdk init [folder] --template <name>   in the current folder, or in another one, which is created

Options
  --template <name>   ${LIST.join(", ")}; asked for in a terminal
  -h, --help          show this help

The project connects a user's account, executes a tool and receives webhooks, against a local emulator: it needs no
account. Its README.md says what to change to go live.

No existing file is overwritten. An existing package.json keeps everything it has, and gets the missing scripts and
dependencies. If anything is in the way, nothing is written.

Exit codes
  0  done
  1  error; see the message
  2  invalid command line
`;

/** Writes a project from a template. */
export async function initCommand(commandLine: string[]): Promise<void> {
  const { values, positionals } = parseArguments("init", OPTIONS, commandLine);
  if (values.help) {
    print(...HELP.trimEnd().split("\n"));
    return;
  }
  const [folder = ".", ...others] = positionals;
  if (others.length > 0) throw new UsageError("Pass one folder. See svc-sdk init --help.");
  const template = checkedTemplate(values.template ?? (await askForTemplate()));
  const project = await projectFor(folder, template);
  await writeProject(folder, project);

  const files = [...project.files.keys()].sort();
  print(`Wrote ${files.length} files${folder === "." ? "" : ` to ${folder}`}:`, ...files.map((file) => `  ${file}`));
  if (project.updatedManifest !== undefined) print("Added scripts and dependencies to package.json.");
  const manager = packageManager();
  const enter = resolve(folder) === process.cwd() ? [] : [`  cd ${quoted(folder)}`];
  print("", "Next:", ...enter, `  ${manager} install`, `  ${manager} run dev`);
  print("", "It runs with a local emulator. To go live, write three lines into .env: README.md shows them.");
}

/** Options of `svc-sdk init`. */
export const OPTIONS = {
  template: { type: "string" },
  help: { type: "boolean", short: "h", default: false },
} as const;

function checkedTemplate(name: string): string {
  if (Object.hasOwn(TEMPLATES, name)) return name;
  const meant = nearestName(name, Object.keys(TEMPLATES));
  const hint = meant === undefined ? `Pass --template ${Object.keys(TEMPLATES).join(", ")}.` : `Did you mean ${meant}?`;
  throw new UsageError(`Unknown template: ${name}. ${hint}`);
}

async function askForTemplate(): Promise<string> {
  if (!process.stdin.isTTY || !process.stdout.isTTY) {
    throw new UsageError(`--template is missing. Pass one: ${LIST.join(", ")}.`);
  }
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return (await terminal.question(`Template: ${LIST.join(", ")}? `)).trim();
  } finally {
    terminal.close();
  }
}

/** The package manager that runs this command: npm, pnpm, yarn and bun all set this variable. */
function packageManager(): string {
  const [name = ""] = /^(npm|pnpm|yarn|bun)(?=\/)/.exec(process.env["npm_config_user_agent"] ?? "") ?? [];
  return name === "" ? "npm" : name;
}
