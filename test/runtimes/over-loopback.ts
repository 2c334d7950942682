// For runtimes with a network: the emulator answers on a port, and is steered over its control plane.
import type { SvcOptions } from "svc-sdk";
import { observe } from "./scenarios.js";

/** Runs the scenarios over the runtime's own fetch. */
export function run(connection: SvcOptions): Promise<Record<string, unknown>> {
  return observe({
    connection,
    spoil: async (operation, fault) => {
      const body = JSON.stringify({ operation, fault });
      const { ok, status } = await fetch(`${connection.baseUrl}/_emulator/faults`, { method: "POST", body });
      if (!ok) throw new Error(`the control plane answered ${status}`);
    },
  });
}
