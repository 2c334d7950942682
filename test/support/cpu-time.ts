import { readFileSync } from "node:fs";

/** The processor time of this process, in milliseconds: unlike time, it doesn't grow because the machine is busy. */
export function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/** The same, with the processes that it started and that have ended. Only Linux counts these. */
export function cpuWithChildrenMs(): number {
  if (process.platform !== "linux") return cpuMs();
  // The command, which may contain spaces, ends with the last parenthesis; utime is the 14th field, and 4 belong together.
  const [, fields = ""] = /.*\) (.*)/s.exec(readFileSync("/proc/self/stat", "utf8")) ?? [];
  const [user, system, children, ofChildren] = fields.split(" ").slice(11, 15).map(Number);
  // In hundredths of a second, on every Linux.
  return 10 * ((user ?? 0) + (system ?? 0) + (children ?? 0) + (ofChildren ?? 0));
}
