import { readFile } from "node:fs/promises";

/**
 * Reads a JSON file.
 *
 * @param what - What it is to the user, for the message: `lock`.
 */
export async function readJson(file: string, what: string): Promise<unknown> {
  const text = await readFile(file, "utf8").catch((error: Error) => {
    throw new Error(`Cannot read the ${what} ${file}: ${error.message}`, { cause: error });
  });
  try {
    return JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`The ${what} ${file} is not JSON: ${reason}`, { cause: error });
  }
}
