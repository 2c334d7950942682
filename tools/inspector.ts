import { build } from "esbuild";

/** The emulator's inspector: its program and its styles, each as one string. */
export interface Inspector {
  readonly script: string;
  readonly style: string;
}

/** Bundles `src/emulator/inspector`. The build puts the result into the package. */
export async function buildInspector(): Promise<Inspector> {
  const { outputFiles } = await build({
    entryPoints: { script: "src/emulator/inspector/main.tsx", style: "src/emulator/inspector/styles/main.css" },
    bundle: true,
    minify: true,
    write: false,
    outdir: "out",
    format: "iife",
    target: "es2022",
    jsx: "automatic",
    jsxImportSource: "preact",
    // In the page, text can't end the element that the program is in.
    supported: { "inline-script": false },
    legalComments: "none",
  });
  const textOf = (suffix: string) => outputFiles.find(({ path }) => path.endsWith(suffix))?.text ?? "";
  return { script: textOf(".js"), style: textOf(".css") };
}
