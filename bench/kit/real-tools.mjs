import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./rivals.mjs";

/** Records of the tools that the other area compares, again under other names if they aren't enough. */
export function recordsFor(count) {
  const servers = JSON.parse(readFileSync(join(root, "test/agents/schema/real-tools.json"), "utf8"));
  const all = servers.flatMap(({ tools }) => tools);
  return Array.from({ length: count }, (_, index) => {
    const { name, description = "", inputSchema } = all[(index * 7) % all.length];
    const slug = `TOOL_${index}_${name}`.slice(0, 64);
    return { slug, description, toolkit: "real", version: "1", tags: [], input_parameters: inputSchema };
  });
}

/** The tools as rivals take them. */
export const toolsOf = (records) =>
  records.map(({ slug, description, input_parameters }) => ({ name: slug, description, schema: input_parameters }));

/** OpenAI takes at most 128 tools in a request. */
const MOST_IN_REQUEST = 127;

export const inRequests = (records) =>
  Array.from({ length: Math.ceil(records.length / MOST_IN_REQUEST) }, (_, index) =>
    records.slice(index * MOST_IN_REQUEST, (index + 1) * MOST_IN_REQUEST),
  );
