import type { Command } from "./command.js";

/** The words that follow a command's name, its summary, and the command: loaded when called, without the others. */
type ListedCommand = readonly [words: string, summary: string, load: () => Promise<{ readonly command: Command }>];

const forDeliveries = async (name: "trigger" | "resend" | "deliveries") => ({
  command: (await import("./deliveries.js"))[name],
});

/** The commands, in the order in which a project needs them. */
export const COMMANDS: Readonly<Record<string, ListedCommand>> = {
  init: ["[folder]", "start a project: plain Node, Hono on Workers, or Next.js", () => import("./init.js")],
  doctor: ["[options]", "find the problems of a setup, and the fixes", () => import("./doctor.js")],
  generate: ["[options]", "write types for the tools and trigger types you use", () => import("./generate.js")],
  lock: ["[options]", "lock tool versions and compare them with the service's", () => import("./lock.js")],
  policy: ["[options]", "test a policy with recorded calls", () => import("./policy.js")],
  audit: ["verify <file> …", "verify a log of calls", () => import("./audit.js")],
  tools: ["[words]", "list tools: slug, version and description", () => import("./tools.js")],
  call: ["<operation> …", "call any operation of the service", () => import("./call.js")],
  emulator: ["[options]", "run a local service", () => import("./emulator.js")],
  listen: ["[options]", "forward an emulator's events to your receiver", () => import("./listen.js")],
  trigger: ["<trigger>", "fire an event of an emulator", () => forDeliveries("trigger")],
  resend: ["<delivery>", "send an emulator's webhook delivery again", () => forDeliveries("resend")],
  deliveries: ["[options]", "list an emulator's webhook deliveries", () => forDeliveries("deliveries")],
};
