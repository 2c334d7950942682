import { field, kindOf } from "../../shared/json.js";
import type { ToolDefinition, ToolkitDefinition } from "./definitions.js";

/** Names of fields by their kind, as `kindOf` names it after the article. */
type Kinds<Definition> = Readonly<Record<string, readonly (keyof Definition)[]>>;

const TOOLKIT: Kinds<ToolkitDefinition> = {
  "a string": ["slug", "name", "description"],
  "an array": ["categories", "auth", "tools"],
  "an object": ["versions"],
};

const TOOL: Kinds<ToolDefinition> = {
  "a string": ["slug", "name", "description"],
  "an object": ["input", "output"],
  "a function": ["run"],
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
  return Object.entries(kinds).flatMap(([expected, keys]) =>
    keys.flatMap((key) => {
      const found = kindOf(field(definition, key));
      if (expected.endsWith(` ${found}`)) return [];
      const received = found === "undefined" ? "missing" : found;
      return [`${name} is invalid: ${String(key)}: expected ${expected}, received ${received}.`];
    }),
  );
}
