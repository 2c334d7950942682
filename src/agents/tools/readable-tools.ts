import { ConfigError } from "../../errors/local.js";

/** Maximum levels of objects and lists in a schema. Real ones have about 30, and the stack lasts for 800. */
const MOST_LEVELS = 400;

interface BothSchemas {
  readonly input_parameters: unknown;
  readonly output_parameters?: unknown;
}

/** Whether a tool's schemas can be read: they aren't nested too deeply, and don't contain themselves. */
export function isReadableTool({ input_parameters, output_parameters }: BothSchemas): boolean {
  let level = new Set<unknown>([input_parameters, output_parameters]);
  // Needs no recursion, and reads no object twice per level.
  for (let count = 0; count <= MOST_LEVELS; count += 1) {
    const next = new Set<unknown>();
    for (const value of level) {
      for (const member of Object.values(Object(value))) if (Object(member) === member) next.add(member);
    }
    if (next.size === 0) return true;
    level = next;
  }
  return false;
}

/** Why a toolset doesn't have a tool. The others work. */
export function unreadableToolError(slug: string): ConfigError {
  return new ConfigError(
    `toolset: ${slug} is omitted, because a schema of it is nested more than ${MOST_LEVELS} levels deep. ` +
      "Exclude it, or use a version with a simpler schema.",
  );
}
