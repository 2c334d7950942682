import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { referencePage, withCommands } from "../../scripts/commands-table.ts";
import { helpOf } from "../../src/cli/command.js";
import { COMMANDS } from "../../src/cli/commands.js";

const RUN = "run npm run write";

const commands = await Promise.all(
  Object.entries(COMMANDS).map(async ([name, [, summary, load]]) => {
    const { command } = await load();
    return { name, summary, command };
  }),
);

test("the page about the command line lists every command, and the commands that take --json", async () => {
  const rows = commands.map(({ name, summary, command }) => ({ name, summary, takesJson: "json" in command.options }));
  const written = withCommands(readFileSync("docs/guide/command-line.md", "utf8"), rows);
  await expect(written, RUN).toMatchFileSnapshot("../../docs/guide/command-line.md");
});

test("the reference of the command line has the help of every command", async () => {
  const helps = commands.map(({ name, summary, command }) => [name, helpOf(name, summary, command)] as const);
  await expect(referencePage(helps), RUN).toMatchFileSnapshot("../../docs/guide/command-line-reference.md");
});
