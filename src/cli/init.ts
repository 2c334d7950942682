import { resolve } from "node:path";
import { didYouMean } from "../shared/nearest-name.js";
import { declareCommand, text, UsageError } from "./command.js";
import { projectFor, writeProject } from "./init-project.js";
import { print, printNotice, quoted } from "./print.js";
import type { Terminal } from "./terminal.js";

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
  usage: [["[folder] --template <name>", "in the current folder, or in a new folder"]],
  options: {
    template: text("name", `${listOf(TEMPLATES)}; asked for in a terminal`),
    kind: text("kind", `${listOf(KINDS)};\nasked for in a terminal, otherwise ${DEFAULT_KIND}`),
  },
  notes: `The project connects a user's account and executes tools of a local emulator, so you need no account. Without
OPENAI_API_KEY, an agent gets a local model. README.md says what to change to go live.

Existing files are never overwritten: if any exist, they are listed and nothing is written. An existing package.json keeps
its content, and gets the missing scripts and dependencies. The project needs Node 22.18, which runs TypeScript.`,
  takesArguments: true,
  run: async (values, [folder = ".", ...others], terminal) => {
    if (others.length > 0) throw new UsageError("Pass one folder.");
    const template = await chosen(terminal, "template", values.template, TEMPLATES);
    if (template === undefined) throw new UsageError(`--template is missing. Pass one: ${listOf(TEMPLATES)}.`);
    const kind = (await chosen(terminal, "kind", values.kind, KINDS)) ?? DEFAULT_KIND;
    const path = resolve(terminal.cwd, folder);
    const project = await projectFor(path, template, kind === "both" ? ["agent", "receiver"] : [kind]);
    await writeProject(path, project);

    const files = [...project.files.keys()].sort();
    const place = folder === "." ? "" : ` to ${folder}`;
    print(terminal, [`Wrote ${files.length} files${place}:`, ...files.map((file) => `  ${file}`)]);
    if (project.updatedManifest !== undefined) print(terminal, "Added scripts and dependencies to package.json.");
    const manager = packageManager(terminal);
    const enter = path === terminal.cwd ? [] : [`  cd ${quoted(folder)}`];
    print(terminal, ["", "Next:", ...enter, `  ${manager} install`, `  ${manager} run dev`]);
    if (kind !== "receiver")
      print(terminal, ["", "Its model calls tools with sample arguments. Set OPENAI_API_KEY to ask a real one."]);
    print(terminal, [
      "",
      "It runs with a local emulator. To go live, write a few lines into .env: README.md shows them.",
    ]);
  },
});

type InitChoices = Readonly<Record<string, string>>;

function listOf(choices: InitChoices): string {
  return Object.entries(choices)
    .map(([name, meaning]) => `${name} (${meaning})`)
    .join(", ");
}

/** The choice that was passed. In a terminal, asks for a missing choice, and again after a wrong answer. */
async function chosen(terminal: Terminal, option: string, passed: string | undefined, choices: InitChoices) {
  if (passed !== undefined) {
    if (Object.hasOwn(choices, passed)) return passed;
    throw new UsageError(unknownChoice(option, passed, choices));
  }
  const title = option.charAt(0).toUpperCase() + option.slice(1);
  for (;;) {
    const answer = (await terminal.ask(`${title}: ${listOf(choices)}? `))?.trim() || undefined;
    if (answer === undefined || Object.hasOwn(choices, answer)) return answer;
    printNotice(terminal, unknownChoice(option, answer, choices));
  }
}

function unknownChoice(option: string, name: string, choices: InitChoices): string {
  const names = Object.keys(choices);
  return `Unknown ${option}: ${name}.${didYouMean(name, names, ` Choose one of ${names.join(", ")}.`)}`;
}

/** The package manager that runs this command: npm, pnpm, yarn and bun all set this variable. */
function packageManager({ env }: Terminal): string {
  const [name = ""] = /^(npm|pnpm|yarn|bun)(?=\/)/.exec(env["npm_config_user_agent"] ?? "") ?? [];
  return name === "" ? "npm" : name;
}
