import { checkContract } from "../contract/index.js";
import type { Tool } from "../index.js";
import { declareCommand, JSON_OUTPUT, READING_TOOLS, SERVICE, text, UsageError, VERBOSE } from "./command.js";
import { connect } from "./connect.js";
import { printJson, printNotice, printRows } from "./print.js";

export const command = declareCommand({
  usage: [
    ["[words]", "list the tools that match a search, or all"],
    ["create issue --toolkit github", "search the tools of one toolkit"],
  ],
  options: {
    toolkit: text("slug", "only tools of this toolkit"),
    json: JSON_OUTPUT,
    verbose: VERBOSE,
  },
  progress: READING_TOOLS,
  environment: SERVICE,
  notes: "It prints each tool's slug, version and description. svc-sdk call tools.get <slug> prints a tool's schemas.",
  takesArguments: true,
  run: async ({ toolkit, json, verbose }, words, terminal) => {
    if (toolkit?.trim() === "") throw new UsageError("--toolkit is empty. Is a variable unset?");
    const svc = connect(terminal, verbose, { checks: [checkContract({ onMismatch: "throw" })] });
    const query = { ...(words.length > 0 && { query: words.join(" ") }), ...(toolkit && { toolkit_slug: toolkit }) };
    const tools: Tool[] = [];
    for await (const tool of svc.tools.list(query)) tools.push(tool);
    if (json) return printJson(terminal, tools);
    if (tools.length === 0) printNotice(terminal, "No tools match.");
    printRows(
      terminal,
      tools.map(({ slug, version, description }) => [slug, { text: version, color: "quiet" }, briefly(description)]),
    );
  },
});

const LENGTH = 100;

/** The first line of a description, if it fits. */
function briefly(description: string): string {
  const [line = ""] = description.trim().split("\n");
  return line.length > LENGTH ? `${line.slice(0, LENGTH - 1)}…` : line;
}
