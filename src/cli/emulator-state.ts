import { parseArgs } from "node:util";
import { readDataFolder, type Snapshot, writeDataFolder } from "../emulator/node.js";
import { askEmulator } from "./emulator-control.js";
import { readJson } from "./files.js";
import { UsageError } from "./parse-options.js";
import { print, printJson } from "./print.js";

/** Prints the state of a folder or a running emulator, or replaces it with the state in a file. */
export async function stateCommand(action: "export" | "import", commandLine: string[]): Promise<void> {
  const { data, url, file } = optionsOf(action, commandLine);
  if (action === "export") {
    printJson(data === undefined ? await askEmulator(url, "GET", "/snapshot") : readDataFolder(data));
    return;
  }
  const content = await readJson(file, "snapshot");
  // The emulator and the folder each check what they receive.
  if (data === undefined) await askEmulator(url, "PUT", "/snapshot", content);
  else writeDataFolder(data, Object(content) as Snapshot);
  print(`Imported ${file} into ${data ?? url}.`);
}

function optionsOf(action: string, commandLine: string[]) {
  const fail = (problem: string) => {
    throw new UsageError(`svc-sdk emulator ${action}: ${problem}. See svc-sdk emulator --help.`);
  };
  const parsed = parse(commandLine, fail);
  const { data, url = "" } = parsed.values;
  if ((data === undefined) === (parsed.values.url === undefined)) fail("pass either --data or --url");
  if (data === undefined && !URL.canParse(url)) fail(`--url must be a URL such as http://127.0.0.1:4747, not ${url}`);
  const [file = "", ...others] = parsed.positionals;
  if (others.length > 0 || (file === "") !== (action === "export")) {
    fail(action === "export" ? "it takes no file; redirect its output" : "pass one file");
  }
  return { data, url, file };
}

function parse(args: string[], fail: (problem: string) => never) {
  try {
    const options = { data: { type: "string" }, url: { type: "string" } } as const;
    return parseArgs({ args, options, strict: true, allowPositionals: true });
  } catch (error) {
    return fail(error instanceof Error ? error.message.replace(/\.$/, "") : String(error));
  }
}
