import { callables } from "./call/callable.js";
import { COMMON_OPTIONS } from "./call/read-call.js";
import { COMMANDS } from "./commands.js";
import { type CompletedWords, SCRIPTS } from "./completion-scripts.js";
import { parseOptions, UsageError } from "./parse-options.js";
import { print } from "./print.js";

const HELP = `svc-sdk completion: complete commands, operations and options in your shell

Usage
  svc-sdk completion bash >> ~/.bashrc
  svc-sdk completion zsh  >> ~/.zshrc        below the line that runs compinit
  svc-sdk completion fish > ~/.config/fish/completions/svc-sdk.fish

Options
  -h, --help   show this help

It completes svc-sdk and svc, but not behind npx. The script contains every word, so completing starts no program; print it
again after an update.

Exit codes
  0  done
  1  error; see the message
  2  invalid command line
`;

/** Prints the script that completes the command line in a shell. */
export async function completionCommand([shell, ...rest]: string[]): Promise<void> {
  const isOption = shell?.startsWith("-") ?? true;
  const { help } = parseOptions("completion", OPTIONS, shell !== undefined && isOption ? [shell, ...rest] : rest);
  if (help) {
    print(...HELP.trimEnd().split("\n"));
    return;
  }
  const script = shell !== undefined && Object.hasOwn(SCRIPTS, shell) ? SCRIPTS[shell] : undefined;
  if (!script) {
    throw new UsageError(`Pass a shell: ${Object.keys(SCRIPTS).join(", ")}. See svc-sdk completion --help.`);
  }
  print(
    ...script(await completedWords())
      .trimEnd()
      .split("\n"),
  );
}

/** Options of `svc-sdk completion`. */
export const OPTIONS = {
  help: { type: "boolean", short: "h", default: false },
} as const;

/** Every word of the command line, by what precedes it. */
export async function completedWords(): Promise<CompletedWords> {
  const commands = await Promise.all(
    Object.entries(COMMANDS).map(async ([name, load]) => {
      const { options } = await load();
      return [name, Object.keys(options).map((option) => `--${option}`)] as const;
    }),
  );
  const operations = [...callables()].map(([name, { fields }]) => {
    const own = fields.map((field) => (field.name === "body" ? "--body.body" : `--${field.name}`));
    return [name, [...new Set([...own, ...COMMON_OPTIONS])]] as const;
  });
  return {
    commands: new Map(
      commands.map(([name, options]) => [name, name === "completion" ? Object.keys(SCRIPTS) : options]),
    ),
    operations: new Map(operations),
  };
}
