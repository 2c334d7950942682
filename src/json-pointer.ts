import { child } from "./json.js";

/**
 * The names that a JSON Pointer goes through, where it is written as the fragment of a URI: `#/$defs/a~1b%20c` goes through `$defs`
 * and `a/b c`. RFC 6901, section 6; a slash that is percent-encoded is part of a name, because nobody encodes one that separates.
 */
export function pointerSteps(pointer: string): string[] {
  return pointer
    .split("/")
    .slice(1)
    .map((step) => percentDecoded(step).replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** What a pointer leads to; `undefined` for nothing, and for the address of another document. Nothing is inherited or fetched. */
export function atPointer(root: unknown, pointer: string): unknown {
  return /^#(\/|$)/.test(pointer) ? pointerSteps(pointer).reduce<unknown>(child, root) : undefined;
}

/** A percent sign that encodes nothing is a percent sign: many write references as if they were no addresses. */
function percentDecoded(step: string): string {
  return step.replace(/(%[0-9a-f]{2})+/gi, (bytes) => {
    try {
      return decodeURIComponent(bytes);
    } catch {
      return bytes;
    }
  });
}
