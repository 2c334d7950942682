import { child } from "./json.js";

/**
 * The property names in a JSON Pointer that is the fragment of a URI: `#/$defs/a~1b%20c` has `$defs` and `a/b c`. RFC
 * 6901, section 6; a percent-encoded slash is part of a name, because separators aren't encoded in practice.
 */
export function pointerSteps(pointer: string): string[] {
  return pointer
    .split("/")
    .slice(1)
    .map((step) => percentDecoded(step).replaceAll("~1", "/").replaceAll("~0", "~"));
}

/**
 * The value at a pointer; `undefined` if it doesn't exist or is in another document. Nothing is inherited or fetched.
 */
export function atPointer(root: unknown, pointer: string): unknown {
  return /^#(\/|$)/.test(pointer) ? pointerSteps(pointer).reduce<unknown>(child, root) : undefined;
}

/** A percent sign that encodes nothing is kept, because references often aren't encoded like URIs. */
function percentDecoded(step: string): string {
  return step.replace(/(%[0-9a-f]{2})+/gi, (bytes) => {
    try {
      return decodeURIComponent(bytes);
    } catch {
      return bytes;
    }
  });
}
