// Measures each test file for scripts/plain-summary.mjs: vitest runs this file before each, in the same process.
import { afterAll } from "vitest";
import { cpuWithChildrenMs } from "./cpu-time.js";

declare module "vitest" {
  interface TaskMeta {
    /** The processor time of a file, with that of the processes that it started, in milliseconds. */
    cpuMs?: number;
    /** Whether it's the first file of its worker, which also loads the modules that the next files share. */
    isFirst?: boolean;
  }
}

declare global {
  var hasRunFile: boolean | undefined;
}

const startedAt = cpuWithChildrenMs();
const isFirst = !globalThis.hasRunFile;
globalThis.hasRunFile = true;

// biome-ignore lint/correctness/noEmptyPattern: vitest takes fixtures from a pattern in this place
afterAll(({}, { file }) => {
  file.meta.cpuMs = cpuWithChildrenMs() - startedAt;
  file.meta.isFirst = isFirst;
});
