import { resolve } from "node:path";
import { didYouMean } from "../shared/nearest-name.js";
import { declareCommand, text, UsageError } from "./command.js";
import { projectFor, writeProject } from "./init-project.js";
import { ask, print, quoted } from "./print.js";

/** The templates. Their files are in examples/init. */
const TEMPLATES: Readonly<Record<string, string>> = {
  node: "plain Node",
  hono: "Hono on Cloudflare Workers",
  next: "Next.js",
};

/** The kinds of projects: each adds its folder in examples/init to the base. */
const KINDS: Readonly<Record<string, string>> = {
  agent: "a model executes tools",
  receiver: "receives webhooks",
  both: "agent and receiver",
};
/** It needs no key of a model, so it runs as it was written. */
const DEFAULT_KIND = "receiver";

export const command = declareCommand({
  usage: [["[folder] --template <name>", "in the current folder, or in another one, which is created"]],
  options: {
    template: text("name", `${listOf(TEMPLATES)}; asked for in a terminal`),
    kind: text("kind", `${listOf(KINDS)};\nasked for in a terminal, otherwise ${DEFAULT_KIND}`),
  },
  notes: `The project connects a user's account and executes tools, against a local emulator: it needs no account. An agent's model
needs OPENAI_API_KEY. README.md says what to change to go live.

No existing file is overwritten. An existing package.json keeps everything it has, and gets the missing scripts and
dependencies. If anything is in the way, nothing is written.`,
  takesArguments: true,
  run: async (values, [folder = ".", ...others]) => {
    if (others.length > 0) throw new UsageError("Pass one folder.");
    const template = checked("template", values.template ?? (await ask(`Template: ${listOf(TEMPLATES)}? `)), TEMPLATES);
    if (template === undefined) throw new UsageError(`--template is missing. Pass one: ${listOf(TEMPLATES)}.`);
    const kind = checked("kind", values.kind ?? (await ask(`Kind: ${listOf(KINDS)}? `)), KINDS) ?? DEFAULT_KIND;
    const project = await projectFor(folder, template, kind === "both" ? ["agent", "receiver"] : [kind]);
    await writeProject(folder, project);

    const files = [...project.files.keys()].sort();
    print(`Wrote ${files.length} files${folder === "." ? "" : ` to ${folder}`}:`, ...files.map((file) => `  ${file}`));
    if (project.updatedManifest !== undefined) print("Added scripts and dependencies to package.json.");
    const manager = packageManager();
    const enter = resolve(folder) === process.cwd() ? [] : [`  cd ${quoted(folder)}`];
    print("", "Next:", ...enter, `  ${manager} install`, `  ${manager} run dev`);
    if (kind !== "receiver") print("", "The model needs OPENAI_API_KEY: set it first.");
    print("", "It runs with a local emulator. To go live, write a few lines into .env: README.md shows them.");
  },
});

type Choices = Readonly<Record<string, string>>;

function listOf(choices: Choices): string {
  return Object.entries(choices)
    .map(([name, meaning]) => `${name} (${meaning})`)
    .join(", ");
}

function checked(option: string, name: string | undefined, choices: Choices): string | undefined {
  if (name === undefined || Object.hasOwn(choices, name)) return name;
  const names = Object.keys(choices);
  const hint = didYouMean(name, names, ` Pass --${option} ${names.join(", ")}.`);
  throw new UsageError(`Unknown ${option}: ${name}.${hint}`);
}

/** The package manager that runs this command: npm, pnpm, yarn and bun all set this variable. */
function packageManager(): string {
  const [name = ""] = /^(npm|pnpm|yarn|bun)(?=\/)/.exec(process.env["npm_config_user_agent"] ?? "") ?? [];
  return name === "" ? "npm" : name;
}
