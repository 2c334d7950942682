import { onTestFinished } from "vitest";
import { main } from "../../src/cli/main.js";
import type { Terminal } from "../../src/cli/terminal.js";
import { eventually } from "../support/eventually.js";
import { directoryWith } from "./setups.js";

/** The result of a command. */
export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  /** A new folder by default. */
  readonly cwd?: string;
  /** Empty by default: nothing of the test's own process. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Standard input. */
  readonly input?: string;
  /** The lines that are typed into the terminal. Without them, there is no terminal. */
  readonly answers?: readonly string[];
}

/** A terminal for a command that runs in this process. */
export interface TestTerminal extends Terminal {
  readonly printed: () => { readonly stdout: string; readonly stderr: string };
  /** The questions that were asked. */
  readonly questions: readonly string[];
  readonly interrupt: () => void;
  /** Ends the process that started the command. */
  readonly endParent: () => void;
}

/** Creates a terminal that keeps everything that is printed. */
export function testTerminal({ cwd = directoryWith(), env = {}, input, answers }: RunOptions = {}): TestTerminal {
  const stopped = new AbortController();
  const orphaned = new AbortController();
  const typed = [...(answers ?? [])];
  const questions: string[] = [];
  const printed = { stdout: "", stderr: "" };
  const outputTo = (stream: keyof typeof printed) => ({
    isTerminal: answers !== undefined,
    write: (text: string) => {
      printed[stream] += text;
    },
  });
  return {
    stdout: outputTo("stdout"),
    stderr: outputTo("stderr"),
    env,
    cwd,
    execArgv: [],
    readInput: () => {
      if (input === undefined) throw new Error("Standard input is a terminal.");
      return input;
    },
    ask: async (question) => {
      if (answers === undefined) return undefined;
      questions.push(question);
      return typed.shift();
    },
    stopSignal: ({ withParent } = { withParent: false }) =>
      withParent ? AbortSignal.any([stopped.signal, orphaned.signal]) : stopped.signal,
    printed: () => ({ ...printed }),
    questions,
    interrupt: () => stopped.abort(),
    endParent: () => orphaned.abort(),
  };
}

/** Runs a command in this process to its end. */
export async function svc(line: string | readonly string[], options: RunOptions = {}): Promise<Ended> {
  return await start(line, options).ended;
}

/** A command that runs in this process. */
export interface Running {
  readonly stdout: () => string;
  readonly stderr: () => string;
  readonly ended: Promise<Ended>;
  /** Presses Ctrl-C, and waits for the end. */
  readonly stop: () => Promise<Ended>;
  /** Ends the process that started the command. */
  readonly endParent: () => void;
}

/** Starts a command in this process. It's interrupted at the end of the test. */
export function start(line: string | readonly string[], options: RunOptions = {}): Running {
  const words = typeof line === "string" ? line.split(" ") : line;
  const terminal = testTerminal(options);
  const ended = main(words, terminal).then((code) => ({ code, ...terminal.printed() }));
  const stop = () => {
    terminal.interrupt();
    return ended;
  };
  onTestFinished(async () => void (await stop()));
  return {
    stdout: () => terminal.printed().stdout,
    stderr: () => terminal.printed().stderr,
    ended,
    stop,
    endParent: terminal.endParent,
  };
}

/** Runs `svc-sdk emulator` on a free port in this process, and waits until it prints its URL. */
export async function emulatorCommand(
  options: readonly string[] = [],
  more: RunOptions = {},
): Promise<Running & { readonly url: string }> {
  const running = start(["emulator", "--port", "0", ...options], more);
  const url = await eventually(() => {
    const found = /^export SVC_BASE_URL=(\S+)$|^\{"type":"started","url":"([^"]+)"/m.exec(running.stdout());
    if (!found) throw new Error(`It doesn't listen yet. ${running.stderr()}`);
    return found[1] ?? found[2] ?? "";
  });
  return { ...running, url };
}
