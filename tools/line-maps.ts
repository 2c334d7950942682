// Source maps that lead to the line of the source and not to the column in it: a third of the size, and a stack trace still
// names the place.
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { decode, encode } from "@jridgewell/sourcemap-codec";

/** Thins out the source maps of a folder: where a new line of the source begins is kept, what follows on it is not. */
export function keepLines(folder: string): void {
  for (const path of globSync(`${folder}/**/*.js.map`)) {
    const map = JSON.parse(readFileSync(path, "utf8")) as { readonly mappings: string };
    const mappings = decode(map.mappings).map((segments) =>
      segments.filter(([, source, line], index) => {
        const [, sourceBefore, lineBefore] = segments[index - 1] ?? [];
        return source !== sourceBefore || line !== lineBefore;
      }),
    );
    writeFileSync(path, JSON.stringify({ ...map, mappings: encode(mappings) }));
  }
}
