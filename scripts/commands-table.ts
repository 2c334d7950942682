// The parts of the guides that follow from src/cli/commands.ts: the table in docs/guide/command-line.md, the names of the
// commands that take --json, and docs/guide/command-line-reference.md. test/cli/pages.test.ts
// compares them with the pages, and npm run write writes them.

/** A command's row in the table. */
interface Row {
  readonly name: string;
  readonly summary: string;
  readonly takesJson: boolean;
}

/** Lines of the page have fewer characters. */
const WIDTH = 120;

/** The page with the commands in their order. A row keeps its link to another page. */
export function withCommands(page: string, commands: readonly Row[]): string {
  const rows = commands.map(({ name, summary }) => {
    const [, link = ""] = new RegExp(`^\\| \`svc-sdk ${name}\` \\|.*?(: \\[.+)? \\|$`, "m").exec(page) ?? [];
    return `| \`svc-sdk ${name}\` | ${summary.charAt(0).toUpperCase()}${summary.slice(1)}${link} |`;
  });
  const names = commands.filter(({ takesJson }) => takesJson).map(({ name }) => `\`${name}\``);
  const list = `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
  return page
    .replace(/(?<=\n\|---\|---\|\n)(\| `svc-sdk .*\n)+/, `${rows.join("\n")}\n`)
    .replace(/^For scripts, [^.]+ take\s`--json`.*?(?=\n\n)/ms, (paragraph) => {
      return filled(paragraph.replace(/(?<=^For scripts, ).+?(?=\stake)/s, list));
    });
}

/** The page with the help of each command. The operations of svc-sdk call have their own page. */
export function referencePage(helpOfEach: readonly (readonly [name: string, help: readonly string[]])[]): string {
  const sections = helpOfEach.map(([name, help]) => {
    const [shown = ""] = help.join("\n").split("\n\nOperations\n");
    return `## ${name}\n\n\`\`\`\n${shown}\n\`\`\`\n`;
  });
  return [
    "# The command line: reference\n",
    "The options and exit codes of each command, as `npx svc-sdk <command> --help` prints them. [The command",
    "line](command-line.md) shows what the commands are for, and [Operations](../operations.md) lists what `call` can call.\n",
    ...sections,
  ].join("\n");
}

/** A paragraph with as many words on each line as fit. */
function filled(paragraph: string): string {
  const lines: string[] = [];
  for (const word of paragraph.split(/\s+/)) {
    const last = lines.at(-1);
    if (last === undefined || last.length + 1 + word.length >= WIDTH) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines.join("\n");
}
