import type { JsonSchema } from "./json-schema.js";

/** What a reference inside a document points to; `undefined` for nothing. Addresses of other documents are not fetched. */
export function targetOf(reference: string, root: JsonSchema): unknown {
  if (!/^#(\/|$)/.test(reference)) return undefined;
  const steps = reference.split("/").slice(1);
  return steps.reduce<unknown>((place, step) => {
    const key = unescaped(step);
    return typeof place === "object" && place !== null && Object.hasOwn(place, key)
      ? Reflect.get(place, key)
      : undefined;
  }, root);
}

function unescaped(step: string): string {
  // A percent sign that encodes nothing is a percent sign.
  const name = step.replace(/(%[0-9a-f]{2})+/gi, (bytes) => new URLSearchParams(`x=${bytes}`).get("x") ?? bytes);
  return name.replaceAll("~1", "/").replaceAll("~0", "~");
}
