import { callables } from "./call/callable.js";
import { COMMON_OPTIONS } from "./call/read-call.js";
import { type Command, declareCommand } from "./command.js";
import type { ListedCommand } from "./commands.js";
import { type CompletedWords, SCRIPTS } from "./completion-scripts.js";
import { UsageError } from "./parse-options.js";
import { print } from "./print.js";

type Commands = Readonly<Record<string, ListedCommand>>;

/** Prints the script that completes the command line in a shell. */
export const completionOf = (commands: Commands): Command =>
  declareCommand({
    usage: [
      ["bash >> ~/.bashrc", ""],
      ["zsh  >> ~/.zshrc", "below the line that runs compinit"],
      ["fish > ~/.config/fish/completions/svc-sdk.fish", ""],
    ],
    options: {},
    notes: `It completes svc-sdk and svc, but not behind npx. The script contains every word, so completing starts no program; print it
again after an update.`,
    takesArguments: true,
    run: async (_, [shell = "", ...others]) => {
      const script = others.length === 0 && Object.hasOwn(SCRIPTS, shell) ? SCRIPTS[shell] : undefined;
      if (!script) {
        throw new UsageError(`Pass a shell: ${Object.keys(SCRIPTS).join(", ")}. See svc-sdk completion --help.`);
      }
      print(
        ...script(await completedWords(commands))
          .trimEnd()
          .split("\n"),
      );
    },
  });

/** Every word of the command line, by what precedes it. */
export async function completedWords(commands: Commands): Promise<CompletedWords> {
  const options = await Promise.all(
    Object.entries(commands).map(async ([name, { load }]) => {
      const own = (await load()).command.options;
      return [name, Object.keys({ ...own, help: true }).map((option) => `--${option}`)] as const;
    }),
  );
  const operations = [...callables()].map(([name, { fields }]) => {
    const own = fields.map((field) => (field.name === "body" ? "--body.body" : `--${field.name}`));
    return [name, [...new Set([...own, ...COMMON_OPTIONS])]] as const;
  });
  return {
    commands: new Map(options.map(([name, words]) => [name, name === "completion" ? Object.keys(SCRIPTS) : words])),
    operations: new Map(operations),
  };
}
