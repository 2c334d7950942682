import * as z from "zod/mini";
import { mismatchesOf } from "../../contract/check-shape.js";
import { mismatchWords } from "../../errors/mismatch-words.js";
import { object } from "../../resources/schema-kit.js";
import { field } from "../../shared/json.js";
import { functionOf, ToolFacts, ToolkitFacts } from "./catalog-schema.js";
import type { ToolkitDefinition } from "./definitions.js";

/** A definition may be an object of a class, with other fields. */
const Definition = object({
  ...ToolkitFacts.shape,
  tools: z.array(object({ ...ToolFacts.shape, run: functionOf() })),
  proxy: z.optional(functionOf()),
});

/** A sentence for each field of a toolkit and its tools that is missing or wrong. */
export function wrongFields(toolkit: ToolkitDefinition): string[] {
  return mismatchesOf(Definition, toolkit).map((mismatch) => {
    const { path } = mismatch;
    const [, index, inTool] = /^tools\[(\d+)\]\.(.+)$/.exec(path) ?? [];
    const tool = index === undefined ? undefined : toolkit.tools[Number(index)];
    const name = tool ? `The tool ${String(field(tool, "slug"))} of ${toolkit.slug}` : `The toolkit ${toolkit.slug}`;
    return `${name} is invalid: ${inTool ?? path}: ${mismatchWords(mismatch)}.`;
  });
}
