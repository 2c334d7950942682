import type { ParseArgsOptionsConfig } from "node:util";

/** A command with the options that it takes. */
export interface Command {
  readonly run: (commandLine: string[]) => Promise<void>;
  /** Of `svc-sdk call`, they depend on the operation. */
  readonly options: ParseArgsOptionsConfig;
}

/** Loaded when called, so a command doesn't load what only others need. */
export const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  call: async () => ({ run: (await import("./call.js")).callCommand, options: {} }),
  completion: async () => {
    const { completionCommand, OPTIONS } = await import("./completion.js");
    return { run: completionCommand, options: OPTIONS };
  },
  deliveries: async () => {
    const { deliveriesCommand, OPTIONS } = await import("./deliveries.js");
    return { run: deliveriesCommand, options: OPTIONS };
  },
  doctor: async () => {
    const { doctorCommand, OPTIONS } = await import("./doctor.js");
    return { run: doctorCommand, options: OPTIONS };
  },
  emulator: async () => {
    const { emulatorCommand, OPTIONS } = await import("./emulator.js");
    return { run: emulatorCommand, options: OPTIONS };
  },
  generate: async () => {
    const { generateCommand, OPTIONS } = await import("./generate.js");
    return { run: generateCommand, options: OPTIONS };
  },
  init: async () => {
    const { initCommand, OPTIONS } = await import("./init.js");
    return { run: initCommand, options: OPTIONS };
  },
  "lint-tools": async () => {
    const { lintToolsCommand, OPTIONS } = await import("./lint-tools.js");
    return { run: lintToolsCommand, options: OPTIONS };
  },
  listen: async () => {
    const { listenCommand, OPTIONS } = await import("./listen.js");
    return { run: listenCommand, options: OPTIONS };
  },
  lock: async () => {
    const { lockCommand, OPTIONS } = await import("./lock.js");
    return { run: lockCommand, options: OPTIONS };
  },
  migrate: async () => {
    const { migrateCommand, OPTIONS } = await import("./migrate.js");
    return { run: migrateCommand, options: OPTIONS };
  },
  policy: async () => {
    const { OPTIONS, policyCommand } = await import("./policy.js");
    return { run: policyCommand, options: OPTIONS };
  },
  resend: async () => {
    const { OPTIONS, resendCommand } = await import("./resend.js");
    return { run: resendCommand, options: OPTIONS };
  },
  trigger: async () => {
    const { OPTIONS, triggerCommand } = await import("./trigger.js");
    return { run: triggerCommand, options: OPTIONS };
  },
};
