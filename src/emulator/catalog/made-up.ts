import { seedOf } from "../../shared/random.js";
import { type JsonObject, ProviderError, type ToolCall } from "./definitions.js";
import { sampleObjectOf } from "./sample.js";

/** A result made up from an output schema. The same call always has the same one. */
export function madeUpResult(slug: string, output: JsonObject, seed: number, call: ToolCall): JsonObject {
  const { arguments: given, version, files } = call;
  const sorted = Object.entries(given).sort(([one], [other]) => (one < other ? -1 : 1));
  const file = () => files.give({ name: "sample.txt", mimetype: "text/plain", bytes: new TextEncoder().encode(slug) });
  try {
    return sampleObjectOf(output, { seed: seedOf(JSON.stringify([seed, slug, version, sorted])), file });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ProviderError(500, `The emulator can't make up a result of ${slug}: ${reason}. Stub the tool.`);
  }
}
