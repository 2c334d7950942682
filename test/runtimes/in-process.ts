// For runtimes that may not reach a network: the emulator answers in the same process.
import { createEmulator } from "svc-sdk/emulator";
import { observe } from "./scenarios.js";

/** Runs the scenarios against an emulator in the same process. */
export function run(): Promise<Record<string, unknown>> {
  const { connection, faults } = createEmulator();
  return observe({ connection, spoil: (operation, fault) => faults.next(operation, fault) });
}
