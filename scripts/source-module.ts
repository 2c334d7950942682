import { build } from "esbuild";

/** Imports a module of `src`. Sources import each other as built files, which Node can't find without a bundler. */
export async function sourceModule<Module>(path: string): Promise<Module> {
  const { outputFiles } = await build({ entryPoints: [path], bundle: true, format: "esm", write: false });
  return import(`data:text/javascript,${encodeURIComponent(outputFiles[0]?.text ?? "")}`);
}
