import { readFile } from "node:fs/promises";

/**
 * Reads a JSON file.
 *
 * @param what - The user's word for it, for the message: `lockfile`.
 */
export async function readJson(file: string, what: string): Promise<unknown> {
  const text = await readFile(file, "utf8").catch((error: Error) => {
    throw new Error(`Can't read the ${what} ${file}: ${error.message}`, { cause: error });
  });
  try {
    return JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`The ${what} ${file} isn't valid JSON: ${reason}`, { cause: error });
  }
}
