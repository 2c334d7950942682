import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { onTestFinished } from "vitest";
import { eventually } from "../support/eventually.js";

/** The built command line, as a user runs it. */
export interface Cli {
  readonly process: ChildProcess;
  readonly stdout: () => string;
  /** Resolves when the process has exited, with its output. */
  readonly ended: Promise<{ code: number | null; stdout: string; stderr: string }>;
}

/** Runs the command. */
export function cli(...commandLine: string[]): Cli {
  return cliWith(process.env, ...commandLine);
}

/** Runs the command in an environment. */
export function cliWith(env: NodeJS.ProcessEnv, ...commandLine: string[]): Cli {
  return run([process.execPath, "dist/cli.js", ...commandLine], env);
}

/** Runs the command as the only process of a container, where its id is 1. */
export function cliInContainer(...commandLine: string[]): Cli {
  return run(["unshare", "-pf", "--kill-child", process.execPath, "dist/cli.js", ...commandLine], process.env);
}

/** Runs a line of bash, in which `$cli` is the command. */
export function cliInShell(line: string): Cli {
  return run(["bash", "-c", line], { ...process.env, cli: `${process.execPath} dist/cli.js` });
}

function run([program = "", ...commandLine]: string[], env: NodeJS.ProcessEnv): Cli {
  const child = spawn(program, commandLine, { env, stdio: ["ignore", "pipe", "pipe"] });
  onTestFinished(() => {
    child.kill("SIGKILL");
  });
  const said = { stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    said.stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said.stderr += text;
  });
  const ended = once(child, "close").then(([code]: (number | null)[]) => ({ code: code ?? null, ...said }));
  return { process: child, stdout: () => said.stdout, ended };
}

/** Starts an emulator and waits until it prints its URL. */
export async function emulator(...options: string[]): Promise<Cli & { url: string }> {
  return started(cli("emulator", "--port", "0", ...options));
}

/** Waits until an emulator prints its URL. */
export async function started(running: Cli): Promise<Cli & { url: string }> {
  const url = await eventually(() => {
    const [, found] =
      /^export SVC_BASE_URL=(\S+)$|^\{"type":"started","url":"([^"]+)"/m.exec(running.stdout())?.filter(Boolean) ?? [];
    if (found === undefined || !/\n\n$|\}\n$/.test(running.stdout())) throw new Error("It doesn't listen yet.");
    return found;
  });
  return { ...running, url };
}

/** Sends a signal, and waits for the end. */
export async function stop({ process: child, ended }: Cli, signal: NodeJS.Signals = "SIGINT") {
  child.kill(signal);
  return ended;
}
