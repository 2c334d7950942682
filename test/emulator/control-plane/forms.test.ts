import { expect, onTestFinished, test } from "vitest";
import { startEmulator } from "../../../src/emulator/node.js";

test("the inspector gets a tool's form without references and combinations", async () => {
  const input = {
    type: "object",
    properties: {
      owner: { $ref: "#/$defs/name" },
      pages: { anyOf: [{ type: "integer", minimum: 1 }, { type: "null" }], default: 1 },
      isOpen: { type: "boolean", nullable: true, default: false },
      kind: { enum: ["a", "b", null] },
      either: { type: ["string", "integer"], description: "One of both." },
    },
    required: ["owner"],
    $defs: { name: { type: "string", maxLength: 80, description: "Its name." } },
  };
  const open = { slug: "BOOK_OPEN", name: "Open", description: "-", input, output: {}, run: () => ({}) };
  const book = { slug: "book", name: "Book", description: "-", categories: [], auth: [], versions: {}, tools: [open] };
  const emulator = await startEmulator({ toolkits: [book] });
  onTestFinished(() => emulator.close());
  const response = await fetch(`${emulator.url}/_emulator/catalog`);
  const { items } = (await response.json()) as { items: { slug: string; tools: { input: unknown }[] }[] };
  expect(items.find(({ slug }) => slug === "book")?.tools[0]?.input).toEqual({
    required: ["owner"],
    properties: {
      owner: { type: ["string"], maxLength: 80, description: "Its name." },
      pages: { type: ["integer"], minimum: 1, default: 1 },
      isOpen: { type: ["boolean"], default: false },
      kind: { type: ["string", "null"], enum: ["a", "b"] },
      either: { type: ["string", "integer"], description: "One of both." },
    },
  });
});
