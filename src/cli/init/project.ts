import { readdir, readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import type { Json } from "../../shared/json.js";
import { OWN_FOLDER, ownVersion } from "../own-package.js";
import { mergeManifest, readManifest, sorted } from "./manifest.js";

/** A project to write. */
export interface Project {
  /** Contents of the new files, by path in the folder. */
  readonly files: ReadonlyMap<string, string>;
  /** The new content of a package.json that exists. */
  readonly updatedManifest: string | undefined;
  /** Conflicts with that package.json, in sentences. */
  readonly conflicts: readonly string[];
}

const TEMPLATES = fileURLToPath(new URL("examples/init/", OWN_FOLDER));
/** Read before each template, which can replace its files. */
const SHARED = "shared";
/** npm never packs a .gitignore. */
const RENAMED: Readonly<Record<string, string>> = { "gitignore.txt": ".gitignore" };

/** A template's project for a folder. */
export async function projectFor(folder: string, template: string): Promise<Project> {
  const files = new Map([...(await filesBelow(SHARED)), ...(await filesBelow(template))]);
  // Every template has one.
  const manifest = JSON.parse(files.get(MANIFEST) ?? "") as Json;
  const dependencies = sorted({ ...Object(manifest["dependencies"]), "svc-sdk": `^${await ownVersion()}` });
  const complete = { ...manifest, dependencies };

  const existing = await readManifest(join(folder, MANIFEST));
  if (existing === undefined) {
    files.set(MANIFEST, `${JSON.stringify(complete, null, 2)}\n`);
    return { files, updatedManifest: undefined, conflicts: [] };
  }
  files.delete(MANIFEST);
  const { merged, conflicts } = mergeManifest(existing.content, complete);
  return { files, updatedManifest: `${JSON.stringify(merged, null, existing.indent)}\n`, conflicts };
}

const MANIFEST = "package.json";

async function filesBelow(name: string): Promise<(readonly [path: string, content: string])[]> {
  const folder = join(TEMPLATES, name);
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return Promise.all(
    paths.map(async (path) => {
      const inProject = relative(folder, path).replaceAll("\\", "/");
      return [RENAMED[inProject] ?? inProject, await readFile(path, "utf8")] as const;
    }),
  );
}
