import { Composio } from "@composio/core";

const composio = new Composio({
  apiKey: process.env.COMPOSIO_API_KEY,
  baseURL: process.env.COMPOSIO_BASE_URL,
  allowTracking: false,
  toolkitVersions: { textkit: "20260101_00" },
});

const result = await composio.tools.execute("TEXTKIT_REVERSE", {
  userId: "user-4711",
  connectedAccountId: undefined,
  arguments: { text: "stressed", someText: "camelCase stays" },
  dangerouslySkipVersionCheck: true,
});
if (result.successful) console.log(result.data, result.logId);
else console.error(result.error);
