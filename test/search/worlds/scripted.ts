// Worlds in which one program does one thing after the other: what it sees of each is known before.
import { isDeepStrictEqual } from "node:util";
import type { Definition, Faults, Process, World } from "../world.js";

/** Tells what the program has seen, and compares it with what was promised. */
export type See = (what: string, seen: unknown, promised: unknown) => void;

/** A world of one process, whose program runs a script. The world says which of its promises is broken. */
export function scripted(
  name: string,
  script: (process: Process, see: See, world: World) => Promise<void>,
  faults: Faults = {},
): Definition {
  return {
    name,
    faults,
    start(world) {
      world.spawn("P1", async (process) => {
        const see: See = (what, seen, promised) => {
          if (isDeepStrictEqual(seen, promised)) return;
          world.violate(`${what}: ${JSON.stringify(seen)} instead of ${JSON.stringify(promised)}`);
        };
        await script(process, see, world);
      });
    },
  };
}

/** The message of what was thrown; an empty string if nothing was. */
export async function thrown(run: () => unknown): Promise<string> {
  try {
    await run();
    return "";
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
