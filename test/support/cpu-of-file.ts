// Measures each test file for scripts/plain-summary.mjs: vitest runs this file before each, in the same process.
import { afterAll, beforeAll } from "vitest";
import { cpuWithChildrenMs } from "./cpu-time.js";

declare module "vitest" {
  interface TaskMeta {
    /** The processor time of a file, with that of the processes that it started, in milliseconds. */
    cpuMs?: number;
  }
}

declare global {
  var hasMeasuredFile: boolean | undefined;
}

let startedAt = cpuWithChildrenMs();

// The first file of a worker also loads the modules that the next files share: its tests alone count.
if (!globalThis.hasMeasuredFile) {
  beforeAll(() => {
    startedAt = cpuWithChildrenMs();
  });
}
globalThis.hasMeasuredFile = true;

// biome-ignore lint/correctness/noEmptyPattern: vitest takes fixtures from a pattern in this place
afterAll(({}, { file }) => {
  file.meta.cpuMs = cpuWithChildrenMs() - startedAt;
});
