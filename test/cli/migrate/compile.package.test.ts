import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { programs } from "./golden.js";

const after = programs("after");

/** The compiler's errors in the migrated programs, with the built package. */
function errors(): string[] {
  try {
    execFileSync(process.execPath, [
      "node_modules/@typescript/native/bin/tsc",
      "-p",
      "test/cli/migrate/golden",
      "--pretty",
      "false",
    ]);
    return [];
  } catch (error) {
    return String(Reflect.get(Object(error), "stdout"))
      .split("\n")
      .filter((line) => /^\S/.test(line));
  }
}

/** Whether a line is in a part of a program, up to an empty line, that has a comment for a person. */
function isMarked(text: string, line: number): boolean {
  const lines = text.split("\n").slice(0, line);
  const start = lines.findLastIndex((one) => one.trim() === "") + 1;
  return lines.slice(start).some((one) => one.includes("TODO(svc-sdk)"));
}

test("migrated programs compile, except where a comment says what to do", () => {
  const found = errors().map((error) => {
    const [, path = "", line = ""] = /golden\/after\/(.+?)\((\d+),/.exec(error) ?? [];
    return { error, isMarked: isMarked(after.get(path) ?? "", Number(line)) };
  });
  expect(found.filter((one) => !one.isMarked).map(({ error }) => error)).toEqual([]);
  // The compiler did read them.
  expect(found.length).toBeGreaterThan(5);
});
