import { readFile } from "node:fs/promises";

/** The folder of the package. Every file of the command is built to dist/. */
export const OWN_FOLDER = new URL("../", import.meta.url);

/** The version of the package. */
export async function ownVersion(): Promise<string> {
  const manifest = await readFile(new URL("package.json", OWN_FOLDER), "utf8");
  // Our own file has one.
  return (JSON.parse(manifest) as { version: string }).version;
}
