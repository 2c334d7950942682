import type { ToolkitDefinition } from "../../../src/emulator/index.js";

/** An effect that really happened: what a tool of the emulator was run with. */
export interface Effect {
  readonly slug: string;
  /** Which call it was of. */
  readonly number: number;
  readonly to: string;
}

const TAGS: Readonly<Record<string, readonly string[]>> = {
  ACME_GET_ITEM: ["readOnlyHint"],
  ACME_LIST_ITEMS: ["readOnlyHint"],
  ACME_SEND_MAIL: ["openWorldHint"],
  ACME_PAY: ["openWorldHint", "destructiveHint"],
  ACME_DELETE_ITEM: ["destructiveHint"],
};

/** The slugs of the tools. */
export const SLUGS = Object.keys(TAGS);

/** Tags of a tool. */
export const tagsOf = (slug: string): readonly string[] => TAGS[slug] ?? [];

/** A toolkit whose tools count: each run is an effect. */
export function countingToolkit(onEffect: (effect: Effect) => void): ToolkitDefinition {
  const input = {
    type: "object",
    properties: { number: { type: "integer" }, to: { type: "string" } },
    required: ["number", "to"],
  };
  const tools = SLUGS.map((slug) => ({
    slug,
    name: slug,
    description: "Has an effect.",
    input,
    output: { type: "object" },
    tags: tagsOf(slug),
    run: ({ arguments: { number, to } }: { arguments: Readonly<Record<string, unknown>> }) => {
      onEffect({ slug, number: Number(number), to: String(to) });
      return {};
    },
  }));
  const versions = { "20260101_00": "The first." };
  return { slug: "acme", name: "Acme", description: "Counts.", categories: [], auth: [], versions, tools };
}
