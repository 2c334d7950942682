import type { Command } from "./command.js";

interface ListedCommand {
  /** The words that follow its name. */
  readonly words: string;
  readonly summary: string;
  /** Loaded when called, so a command doesn't load what only others need. */
  readonly load: () => Promise<{ readonly command: Command }>;
}

/** The commands, in the order in which a project needs them. */
export const COMMANDS: Readonly<Record<string, ListedCommand>> = {
  init: {
    words: "[folder]",
    summary: "start a project: plain Node, Hono on Workers, or Next.js",
    load: () => import("./init.js"),
  },
  doctor: {
    words: "[options]",
    summary: "find the problems of a setup, and the fixes",
    load: () => import("./doctor.js"),
  },
  generate: {
    words: "[options]",
    summary: "write types for the tools and trigger types you use",
    load: () => import("./generate.js"),
  },
  lock: {
    words: "[options]",
    summary: "lock tool versions and compare them with the service's",
    load: () => import("./lock.js"),
  },
  "lint-tools": {
    words: "[options]",
    summary: "check tools against the limits of a model provider",
    load: () => import("./lint-tools.js"),
  },
  migrate: {
    words: "[paths]",
    summary: "rewrite a program that uses another client of the service",
    load: () => import("./migrate.js"),
  },
  policy: { words: "[options]", summary: "test a policy with recorded calls", load: () => import("./policy.js") },
  call: { words: "<operation> …", summary: "call any operation of the service", load: () => import("./call.js") },
  emulator: { words: "[options]", summary: "run a local service", load: () => import("./emulator.js") },
  listen: {
    words: "[options]",
    summary: "receive an emulator's events at a port of your machine",
    load: () => import("./listen.js"),
  },
  trigger: {
    words: "<trigger>",
    summary: "fire an event of an emulator",
    load: async () => ({ command: (await import("./deliveries.js")).trigger }),
  },
  resend: {
    words: "<delivery>",
    summary: "send an emulator's webhook delivery again",
    load: async () => ({ command: (await import("./deliveries.js")).resend }),
  },
  deliveries: {
    words: "[options]",
    summary: "list an emulator's webhook deliveries",
    load: async () => ({ command: (await import("./deliveries.js")).deliveries }),
  },
};
