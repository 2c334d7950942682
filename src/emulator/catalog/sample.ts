import { mismatchesOfJsonSchema } from "../../arguments/check-json-schema.js";
import { TooMuchWork, Work } from "../../arguments/checking.js";
import { SchemaReader } from "../../arguments/schema-reader.js";
import { nextRandom, seedOf } from "../../shared/random.js";
import { type JsonObject, ProviderError, type ToolRunContext } from "./definitions.js";
import { SampleMaker } from "./sample-value.js";

/** How a sample is made. */
export interface SampleOptions {
  /** Equal schemas and seeds make equal samples. */
  readonly seed: number;
  /** Creates the value of a schema marked `file_downloadable`. By default, it's created like any other. */
  readonly file?: (() => unknown) | undefined;
}

/** How many samples are tried. Most schemas accept the first. */
const ATTEMPTS = 40;

/**
 * Creates a value that a JSON Schema accepts. Examples and defaults of the schema are preferred, and recursive schemas
 * end.
 *
 * @throws {Error} if no such value was found, with the reason.
 */
export function sampleOf(given: JsonObject, { seed, file }: SampleOptions): unknown {
  const sequence = { seed };
  const reader = new SchemaReader(given);
  // Samples with only what is required may be found after larger ones took too long.
  const works = { full: new Work(), minimal: new Work() };
  let problem = "";
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const isMinimal = attempt >= ATTEMPTS / 2;
    try {
      const maker = new SampleMaker(reader, {
        work: isMinimal ? works.minimal : works.full,
        random: () => nextRandom(sequence),
        file,
        // What a schema says about itself may be wrong, and large values are more often invalid than small ones.
        usesExamples: attempt % 2 === 0,
        isMinimal,
        attempt,
      });
      const value = maker.make();
      const [mismatch] = mismatchesOfJsonSchema(given, value);
      if (!mismatch) return value;
      problem = `${mismatch.path === "" ? "the value" : mismatch.path} must be ${mismatch.expected}`;
    } catch (error) {
      if (error instanceof TooMuchWork) problem = "it takes too long";
      else problem = error instanceof Error ? error.message : String(error);
    }
  }
  throw new Error(`No value was found that the schema accepts: ${problem}`);
}

/**
 * Makes up an object that a JSON Schema accepts: arguments, or a tool's result.
 *
 * @throws {Error} if no such object was found, with the reason.
 */
export function sampleObjectOf(schema: JsonObject, options: SampleOptions): JsonObject {
  const sample = sampleOf({ ...schema, type: "object" }, options);
  // The schema accepts only objects.
  return sample as JsonObject;
}

/** A result made up from an output schema. The same call always has the same one. */
export function madeUpResult(slug: string, output: JsonObject, seed: number, call: ToolRunContext): JsonObject {
  const { arguments: given, version, files } = call;
  const sorted = Object.entries(given).sort(([one], [other]) => (one < other ? -1 : 1));
  const file = () => files.store({ name: "sample.txt", mimetype: "text/plain", bytes: new TextEncoder().encode(slug) });
  try {
    return sampleObjectOf(output, { seed: seedOf(JSON.stringify([seed, slug, version, sorted])), file });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ProviderError(500, `The emulator can't make up a result of ${slug}: ${reason}. Stub the tool.`);
  }
}
