// Measures each test file for scripts/plain-summary.mjs: vitest runs this file before each, in the same process.
import { afterAll } from "vitest";
import { cpuWithChildrenMs } from "./cpu-time.js";

declare module "vitest" {
  interface TaskMeta {
    /** The processor time of a file, with that of the processes that it started, in milliseconds. */
    cpuMs?: number;
  }
}

const startedAt = cpuWithChildrenMs();

// biome-ignore lint/correctness/noEmptyPattern: vitest takes fixtures from a pattern in this place
afterAll(({}, { file }) => {
  file.meta.cpuMs = cpuWithChildrenMs() - startedAt;
});
