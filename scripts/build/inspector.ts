import { build, type Plugin } from "esbuild";
import type { InspectorBundle } from "../../src/emulator/control-plane/inspector-bundle.ts";

/** In the order in which they apply. */
const STYLES = ["styles/base.css", "styles/layout.css", "styles/parts.css"];

/** Bundles `src/emulator/inspector`. */
async function buildInspector(): Promise<InspectorBundle> {
  const { outputFiles } = await build({
    entryPoints: ["main.tsx", ...STYLES].map((path) => `src/emulator/inspector/${path}`),
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
  return { script: textOf("main.js"), style: STYLES.map(textOf).join("") };
}

/** Puts the inspector into its module, and so into a chunk that is loaded when the page is first opened. */
export const inspectorPlugin: Plugin = {
  name: "inspector",
  setup: ({ onLoad }) => {
    onLoad({ filter: /src[\\/]emulator[\\/]control-plane[\\/]inspector-bundle\.ts$/ }, async () => ({
      contents: `export const INSPECTOR = ${JSON.stringify(await buildInspector())};`,
    }));
  },
};
