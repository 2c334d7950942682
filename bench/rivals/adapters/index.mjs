// Stands beside its node_modules, so that the adapters resolve from here and not from the project. Each takes tools
// with a name, a description and a JSON Schema, and returns what its library sends: name, description, schema, and
// whether it asks for strictness.
import { AnthropicProvider } from "@composio/anthropic";
import { GoogleProvider } from "@composio/google";
import { OpenAIResponsesProvider } from "@composio/openai";
import { VercelProvider } from "@composio/vercel";
import { asSchema } from "ai";

const wrapped = (provider, tools) =>
  tools.map(({ name, description, schema }) => provider.wrapTool({ slug: name, description, inputParameters: schema }, () => ({})));

function openai(strict) {
  return (tools) =>
    wrapped(new OpenAIResponsesProvider({ strict }), tools).map(({ name, description, parameters }) => ({ name, description, schema: parameters, strict }));
}

const vercel = (tools) =>
  Promise.all(
    wrapped(new VercelProvider(), tools).map(async ({ description, inputSchema }, index) => {
      return { name: tools[index].name, description, schema: await asSchema(inputSchema).jsonSchema, strict: false };
    }),
  );

export const ADAPTERS = {
  "@composio/openai": openai(false),
  "@composio/openai, strict": openai(true),
  "@composio/anthropic": (tools) =>
    wrapped(new AnthropicProvider(), tools).map(({ name, description, input_schema }) => ({ name, description, schema: input_schema, strict: false })),
  "@composio/google": (tools) =>
    wrapped(new GoogleProvider(), tools).map(({ name, description, parameters }) => ({ name, description, schema: parameters, strict: false })),
  "@composio/vercel": vercel,
};
