/** The exit codes of all commands. */
export const EXIT = { done: 0, error: 1, usage: 2, found: 3 } as const;

/** The meanings of the codes, for help. */
export const EXIT_CODES: Readonly<Record<number, string>> = {
  [EXIT.done]: "done",
  [EXIT.error]: "error; see the message",
  [EXIT.usage]: "invalid command line",
  [EXIT.found]: "a check found something",
};
