/** A stream that a command writes to. */
export interface Output {
  readonly isTerminal: boolean;
  write(text: string): void;
}

/**
 * The parts of a process that a command uses. Commands get them from `main`, so that tests run commands in their own
 * process, and only bin.ts touches `process`.
 */
export interface Terminal {
  /** The result of a command. */
  readonly stdout: Output;
  /** Progress, logs and errors. */
  readonly stderr: Output;
  /** The environment variables. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The folder that relative paths start from. */
  readonly cwd: string;
  /** The options of Node, such as `--use-env-proxy`. */
  readonly execArgv: readonly string[];
  /** Reads standard input to its end. */
  readInput(): string;
  /** Asks a question. Resolves to `undefined` without a terminal. Ctrl-C and the end of the input end the process. */
  ask(question: string): Promise<string | undefined>;
  /**
   * Returns a signal that Ctrl-C, a request to terminate, a closed terminal, and a failed output abort. Without this
   * signal, they end the process.
   *
   * @param options.withParent - Whether the end of the process that started this one also aborts the signal.
   */
  stopSignal(options?: { readonly withParent: boolean }): AbortSignal;
}
