import { callables } from "./call/callable.js";
import { operationCommand } from "./call/operation.js";
import { type Command, declareCommand, UsageError } from "./command.js";
import type { ListedCommand } from "./commands.js";
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
        throw new UsageError(`Pass a shell: ${Object.keys(SCRIPTS).join(", ")}.`);
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
  const optionsOf = ({ options }: Command) => Object.keys({ ...options, help: true }).map((option) => `--${option}`);
  const options = await Promise.all(
    Object.entries(commands).map(async ([name, { load }]) => [name, optionsOf((await load()).command)] as const),
  );
  const operations = [...callables()].map(
    ([name, operation]) => [name, optionsOf(operationCommand(operation))] as const,
  );
  return {
    commands: new Map(options.map(([name, words]) => [name, name === "completion" ? Object.keys(SCRIPTS) : words])),
    operations: new Map(operations),
  };
}

/** The words that shells complete. None has a space or a character that a shell reads. */
export interface CompletedWords {
  /** Options of each command. */
  readonly commands: ReadonlyMap<string, readonly string[]>;
  /** Options of each operation of `svc-sdk call`. */
  readonly operations: ReadonlyMap<string, readonly string[]>;
}

/** Writes the script of each shell. */
export const SCRIPTS: Readonly<Record<string, (words: CompletedWords) => string>> = {
  bash: ({ commands, operations }) => `# Completes svc-sdk and svc in bash.
_svc_sdk() {
  local current="\${COMP_WORDS[COMP_CWORD]}" candidates=""
  if (( COMP_CWORD == 1 )); then
    candidates="${[...commands.keys()].join(" ")}"
  elif [[ "\${COMP_WORDS[1]}" == call ]]; then
    if (( COMP_CWORD == 2 )); then
      candidates="${[...operations.keys()].join(" ")}"
    else
      case "\${COMP_WORDS[2]}" in
${cases(operations, (words) => `candidates="${words}"`, 8)}
      esac
    fi
  else
    case "\${COMP_WORDS[1]}" in
${cases(commands, (words) => `candidates="${words}"`, 6)}
    esac
  fi
  COMPREPLY=( $(compgen -W "$candidates" -- "$current") )
}
complete -o default -F _svc_sdk svc-sdk svc
`,
  zsh: ({ commands, operations }) => `# Completes svc-sdk and svc in zsh.
_svc_sdk() {
  local -a candidates
  if (( CURRENT == 2 )); then
    candidates=(${[...commands.keys()].join(" ")})
  elif [[ $words[2] == call ]]; then
    if (( CURRENT == 3 )); then
      candidates=(${[...operations.keys()].join(" ")})
    else
      case $words[3] in
${cases(operations, (words) => `candidates=(${words})`, 8)}
      esac
    fi
  else
    case $words[2] in
${cases(commands, (words) => `candidates=(${words})`, 6)}
    esac
  fi
  if (( CURRENT > 3 )) && [[ $PREFIX != -* ]]; then
    _files
  else
    compadd -a candidates
  fi
}
compdef _svc_sdk svc-sdk svc
`,
  fish: ({ commands, operations }) => `# Completes svc-sdk and svc in fish.
function __svc_sdk_candidates
  set -l words (commandline -opc)
  set -l count (count $words)
  if test $count -eq 1
    string split -- ' ' '${[...commands.keys()].join(" ")}'
  else if test $words[2] = call
    if test $count -eq 2
      string split -- ' ' '${[...operations.keys()].join(" ")}'
    else
      switch $words[3]
${fishCases(operations, 8)}
      end
    end
  else
    switch $words[2]
${fishCases(commands, 6)}
    end
  end
end
complete -c svc-sdk -a '(__svc_sdk_candidates)'
complete -c svc -a '(__svc_sdk_candidates)'
`,
};

function cases(table: ReadonlyMap<string, readonly string[]>, set: (words: string) => string, indent: number): string {
  return [...table].map(([name, words]) => `${" ".repeat(indent)}${name}) ${set(words.join(" "))} ;;`).join("\n");
}

function fishCases(table: ReadonlyMap<string, readonly string[]>, indent: number): string {
  const space = " ".repeat(indent);
  return [...table]
    .filter(([, words]) => words.length > 0)
    .map(([name, words]) => `${space}case ${name}\n${space}  string split -- ' ' '${words.join(" ")}'`)
    .join("\n");
}
