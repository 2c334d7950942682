import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { readJson } from "./files.js";

/**
 * Reads a JSON file, or the default export of a module.
 *
 * @param what - The user's word for it, for the message: `toolkits`.
 */
export async function readModule(file: string, what: string): Promise<unknown> {
  if (file.endsWith(".json")) return readJson(file, what);
  try {
    const module: { readonly default?: unknown } = await import(pathToFileURL(resolve(file)).href);
    return module.default;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`Can't load the ${what} ${file}: ${reason}`, { cause: error });
  }
}
