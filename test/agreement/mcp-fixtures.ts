import type { JsonObject, ToolDefinition, ToolkitDefinition } from "../../src/emulator/index.js";
import { ProviderError } from "../../src/emulator/index.js";

const toolOf = (slug: string, input: JsonObject, run: ToolDefinition["run"]): ToolDefinition => ({
  slug,
  name: slug,
  description: `Fixture ${slug}.`,
  input: { type: "object", ...input },
  output: { type: "object" },
  run,
});

const toolkitOf = (slug: string, tools: readonly ToolDefinition[]): ToolkitDefinition => ({
  slug,
  name: slug,
  description: "Fixture tools of the MCP conformance suite.",
  categories: [],
  auth: [],
  versions: {},
  tools,
});

/** A schema with the keywords of JSON Schema 2020-12 that the suite looks for. */
const SCHEMA_2020_12: JsonObject = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  $defs: { address: { $anchor: "addressDef", type: "object", properties: { street: { type: "string" } } } },
  properties: {
    name: { type: "string" },
    address: { $ref: "#/$defs/address" },
    contactMethod: { enum: ["phone", "email"] },
    phone: { type: "string" },
    email: { type: "string" },
  },
  allOf: [{ anyOf: [{ required: ["phone"] }, { required: ["email"] }] }],
  if: { properties: { contactMethod: { const: "phone" } }, required: ["contactMethod"] },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
  then: { required: ["phone"] },
  else: { required: ["email"] },
  additionalProperties: false,
};

/** The suite's fixture tools that a tool of the service can be. The suite writes their names in lower case. */
export const conformanceToolkits: readonly ToolkitDefinition[] = [
  toolkitOf("test", [
    toolOf("TEST_SIMPLE_TEXT", {}, () => ({ text: "This is a simple text response for testing." })),
    toolOf("TEST_ERROR_HANDLING", {}, () => {
      throw new ProviderError(400, "This tool intentionally returns an error for testing");
    }),
    toolOf("TEST_LOGGING_TOOL", {}, () => ({ logged: 0 })),
    toolOf("TEST_STREAMING_ELICITATION", {}, () => ({ asked: 0 })),
    toolOf("TEST_HEADER", { properties: { region: { type: "string", "x-mcp-header": "Region" } } }, (call) => ({
      region: call.arguments["region"],
    })),
  ]),
  toolkitOf("json", [toolOf("JSON_SCHEMA_2020_12_TOOL", SCHEMA_2020_12, () => ({}))]),
];
