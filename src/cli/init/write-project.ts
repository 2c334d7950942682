import { lstat, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { makeFolder } from "../../shared/make-folder.js";
import { overwrite } from "../files.js";
import type { Project } from "./project.js";

/**
 * Writes a project into a folder: all of it or, if anything is in the way, nothing.
 *
 * @throws {Error} that lists everything that is in the way, or if a file can't be written.
 */
export async function writeProject(folder: string, { files, updatedManifest, conflicts }: Project): Promise<void> {
  const paths = [...files.keys()].sort();
  const areTaken = await Promise.all(paths.map((path) => isTaken(join(folder, path))));
  const taken = paths.filter((_, index) => areTaken[index]);
  const problems = [
    ...(taken.length > 0 ? [`Existing files: ${taken.join(", ")}. Move them, or choose another folder.`] : []),
    ...conflicts,
  ];
  if (problems.length > 0) throw new Error(`Nothing was written. ${problems.join(" ")}`);

  const written: string[] = [];
  try {
    for (const [path, content] of files) {
      const file = join(folder, path);
      const created = makeFolder(dirname(file));
      if (created !== undefined) written.push(created);
      // Fails if the file exists by now. Its content comes second, so that a half-written file is removed too.
      await writeFile(file, "", { flag: "wx" });
      written.push(file);
      await writeFile(file, content);
    }
    // Last, because it's the only change to an existing file.
    if (updatedManifest !== undefined) await overwrite(join(folder, "package.json"), updatedManifest);
  } catch (error) {
    for (const path of written.reverse()) await rm(path, { recursive: true, force: true });
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`Nothing was written. ${reason}`, { cause: error });
  }
}

/** Whether something is at a path, or a file in place of one of its folders. */
async function isTaken(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    // Only Node's own errors are thrown here.
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return false;
    if (code === "ENOTDIR") return true;
    throw new Error(`Can't look for ${path}: ${message}`, { cause: error });
  }
}
