import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { expect, type TestContext } from "vitest";
import { type RunningEmulator, type StartOptions, startEmulator } from "../../src/emulator/node.js";

const run = promisify(execFile);

/** A concurrent test must register what it starts with its own context. */
export type Owner = Pick<TestContext, "onTestFinished">;

/** An emulator for one test, and the variables that a user would copy from its output. */
export async function emulatorWithEnvironment({ onTestFinished }: Owner, options: StartOptions = {}) {
  const emulator = await startEmulator(options);
  onTestFinished(() => emulator.close());
  return { emulator, environment: environmentOf(emulator) };
}

function environmentOf({ connection }: RunningEmulator): Record<string, string> {
  return {
    SVC_BASE_URL: connection.baseUrl,
    SVC_API_KEY: connection.apiKey ?? "",
    SVC_USER_API_KEY: connection.userApiKey ?? "",
    SVC_ORG_API_KEY: connection.orgApiKey ?? "",
  };
}

/** Only the variables that a program needs to run. */
const bare = { PATH: process.env["PATH"], NODE_NO_WARNINGS: "1" };

/** Output of a program. Rejects if the program fails, writes to stderr or doesn't end. */
export async function outputOf(program: readonly string[], environment: Record<string, string>): Promise<string[]> {
  // Its files go there, and not into the project.
  const cwd = await mkdtemp(join(tmpdir(), "svc-example-"));
  const words = program.map((word, index) => {
    const isImport = program[index - 1] === "--import";
    if (!existsSync(word) && !isImport) return word;
    return isImport ? new URL(word, pathToFileURL("./")).href : resolve(word);
  });
  try {
    const env = { ...bare, ...environment };
    const { stdout, stderr } = await run(process.execPath, words, { encoding: "utf8", timeout: 50_000, cwd, env });
    expect(stderr).toBe("");
    return stdout.trimEnd().split("\n");
  } finally {
    await rm(cwd, { recursive: true, force: true });
  }
}

/** An example that runs until it is stopped. */
export interface RunningExample {
  /** Resolves with the first matching line, past or future, including stderr. */
  line(pattern: RegExp): Promise<string>;
  /** The lines so far. */
  lines(): readonly string[];
  /** Presses Enter in its terminal. */
  enter(): void;
  /** Sends SIGTERM; resolves with its exit code, or null if the signal killed it. */
  terminate(): Promise<number | null>;
  /** Kills it, without a chance to do anything. */
  kill(): Promise<void>;
  /** Stops it; resolves with its whole output after it has ended. */
  stop(): Promise<readonly string[]>;
}

/** Starts an example, or Node with arguments. Stopped at the end of the test. */
export function start(
  { onTestFinished }: Owner,
  program: readonly string[],
  environment: Record<string, string>,
  cwd?: string,
): RunningExample {
  const child = spawn(process.execPath, program, {
    env: { ...bare, ...environment },
    stdio: "pipe",
    cwd,
  });
  const lines: string[] = [];
  const waiting = new Set<() => void>();
  const hear = (line: string) => {
    lines.push(line);
    for (const look of waiting) look();
  };
  createInterface({ input: child.stdout }).on("line", hear);
  createInterface({ input: child.stderr }).on("line", hear);

  // At "exit", output may still be in the pipe; at "close", all of it has been read.
  const closed = once(child, "close");
  const stop = async () => {
    child.kill("SIGTERM");
    await closed;
    return lines;
  };
  onTestFinished(async () => {
    await stop();
  });
  return {
    stop,
    lines: () => [...lines],
    enter: () => void child.stdin.write("\n"),
    terminate: async () => {
      child.kill("SIGTERM");
      await closed;
      return child.exitCode;
    },
    kill: async () => {
      child.kill("SIGKILL");
      await closed;
    },
    line: (pattern) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const found = lines.find((line) => pattern.test(line));
          if (found !== undefined) resolve(found);
        };
        waiting.add(look);
        child.once("close", () => reject(new Error(`It ended without ${pattern}:\n${lines.join("\n")}`)));
        look();
      }),
  };
}
