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
