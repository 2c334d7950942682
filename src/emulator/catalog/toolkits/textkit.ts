import { objectSchema, ProviderError, type ToolkitDefinition, text, whole } from "../definitions.js";

/** Text functions. Doesn't need an account. */
export const textkit: ToolkitDefinition = {
  slug: "textkit",
  name: "Textkit",
  description: "Counts and changes text. Needs no account.",
  categories: [{ id: "developer-tools", name: "Developer Tools" }],
  auth: [],
  versions: { "20250115_00": "Counting tells words and characters apart.", "20250930_00": "Adds reversing." },
  tools: [
    {
      slug: "TEXTKIT_COUNT_WORDS",
      name: "Count words",
      description: "Counts the words in text.",
      input: objectSchema({ text: text("Any text.") }),
      output: objectSchema({ words: whole("Words in it.") }),
      tags: ["readOnlyHint", "important"],
      changes: {
        "20250115_00": {
          output: objectSchema({ words: whole("Words in it."), characters: whole("Characters in it.") }),
        },
      },
      run: ({ arguments: given, version }) => {
        const counted = String(given["text"]);
        const words = counted.split(/\s+/).filter(Boolean).length;
        return version < "20250115_00" ? { words } : { words, characters: [...counted].length };
      },
    },
    {
      slug: "TEXTKIT_REVERSE",
      name: "Reverse",
      description: "Reverses text.",
      input: objectSchema({ text: text("Any text but a blank one.") }),
      output: objectSchema({ text: text("The text, last character first.") }),
      tags: ["readOnlyHint"],
      since: "20250930_00",
      run: ({ arguments: given }) => {
        const original = String(given["text"]);
        if (original.trim() === "") throw new ProviderError(422, "There is nothing to reverse");
        return { text: [...original].reverse().join("") };
      },
    },
  ],
};
