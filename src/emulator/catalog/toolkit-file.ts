import * as z from "zod/mini";
import { checkShape } from "../../contract/check-shape.js";
import { JsonObject, request } from "../../resources/schema-kit.js";
import { messageOf } from "../../shared/message-of.js";
import { seedOf } from "../../shared/random.js";
import { functionOf, ToolFacts, ToolkitFacts } from "./catalog-schema.js";
import { ProviderError, type ToolDefinition, type ToolkitDefinition, type ToolRunContext } from "./definitions.js";
import { sampleObjectOf } from "./sample.js";

const ToolkitShape = request({
  ...ToolkitFacts.shape,
  ...z.partial(z.pick(ToolkitFacts, { description: true, categories: true, auth: true, versions: true })).shape,
  tools: z.array(request({ ...ToolFacts.shape, result: z.optional(JsonObject), run: z.optional(functionOf()) })),
  proxy: z.optional(functionOf()),
});

/** A tool in a file: `run`, a fixed `result`, or neither. */
type WrittenTool = ToolFacts & Partial<ToolDefinition> & { readonly result?: JsonObject };

type WrittenToolkit = Pick<ToolkitDefinition, "slug" | "name"> &
  Partial<Omit<ToolkitDefinition, "tools">> & { readonly tools: readonly WrittenTool[] };

/**
 * Checks toolkit definitions of a JSON file or a module, and completes them. A tool without `run` returns its `result`,
 * and without one a result made up from its `output`. `description`, `categories`, `auth`, and `versions` are optional.
 *
 * @param source the file, for the message.
 * @throws {ConfigError} with the first invalid places.
 */
export function toToolkits(value: unknown, source: string): ToolkitDefinition[] {
  checkShape(z.array(ToolkitShape), value, `${source} doesn't contain a list of toolkits`);
  // The shape was just checked; the types of fields and functions inside are the author's.
  const written = value as readonly WrittenToolkit[];
  return written.map(({ tools, ...toolkit }) => {
    return { description: "", categories: [], auth: [], versions: {}, ...toolkit, tools: tools.map(runnable) };
  });
}

function runnable({ result, ...tool }: WrittenTool): ToolDefinition {
  const { run } = tool;
  if (run) return { ...tool, run };
  if (result) return { ...tool, run: () => result };
  return { ...tool, isSample: true, run: (call) => madeUpResult(tool.slug, tool.output, 1, call) };
}

/** A result made up from an output schema. The same call always has the same one. */
export function madeUpResult(slug: string, output: JsonObject, seed: number, call: ToolRunContext): JsonObject {
  const { arguments: given, version, files } = call;
  const sorted = Object.entries(given).sort(([left], [right]) => (left < right ? -1 : 1));
  const file = () => files.store({ name: "sample.txt", mimetype: "text/plain", bytes: new TextEncoder().encode(slug) });
  try {
    return sampleObjectOf(output, { seed: seedOf(JSON.stringify([seed, slug, version, sorted])), file });
  } catch (error) {
    const reason = messageOf(error);
    throw new ProviderError(500, `The emulator can't make up a result of ${slug}: ${reason}. Stub the tool.`);
  }
}
