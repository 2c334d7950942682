// The same loop with a rival, which has no approvals and no store. Stands beside its node_modules.
import { Composio } from "@composio/core";
import { OpenAIResponsesProvider } from "@composio/openai";

export async function run({ baseUrl, apiKey, slug, args, version }) {
  const composio = new Composio({
    apiKey,
    baseURL: baseUrl,
    provider: new OpenAIResponsesProvider(),
    allowTracking: false,
    disableVersionCheck: true,
    toolkitVersions: { github: version },
  });
  const definitions = await composio.tools.get("user-4711", { tools: [slug] });
  const call = { type: "function_call", id: "fc_1", call_id: "call_1", name: definitions[0].name, arguments: JSON.stringify(args) };
  const [output] = await composio.provider.handleResponse("user-4711", { id: "resp_1", output: [call] });
  return output.output;
}
