import { field, kindOf } from "../../shared/json.js";
import type { ToolDefinition, ToolkitDefinition } from "./definitions.js";

/** The kinds of fields, as `kindOf` names them after the article. */
type Kinds<Definition> = {
  readonly [Name in keyof Definition]?: "a string" | "an array" | "an object" | "a function";
};

const TOOLKIT: Kinds<ToolkitDefinition> = {
  slug: "a string",
  name: "a string",
  description: "a string",
  categories: "an array",
  auth: "an array",
  versions: "an object",
  tools: "an array",
};

const TOOL: Kinds<ToolDefinition> = {
  slug: "a string",
  name: "a string",
  description: "a string",
  input: "an object",
  output: "an object",
  run: "a function",
};

/** A sentence for each field of a toolkit and its tools that is missing or of the wrong kind. */
export function wrongFields(toolkit: ToolkitDefinition): string[] {
  const { slug, tools } = toolkit;
  return [
    ...problemsOf(toolkit, TOOLKIT, `The toolkit ${slug}`),
    ...[tools]
      .flat()
      .flatMap((tool: unknown) => problemsOf(tool, TOOL, `The tool ${String(field(tool, "slug"))} of ${slug}`)),
  ];
}

function problemsOf<Definition>(definition: unknown, kinds: Kinds<Definition>, name: string): string[] {
  return Object.entries<string | undefined>(kinds).flatMap(([key, expected = ""]) => {
    const found = kindOf(field(definition, key));
    if (expected.endsWith(` ${found}`)) return [];
    return [`${name} is invalid: ${key}: expected ${expected}, received ${found === "undefined" ? "missing" : found}.`];
  });
}
