import { Svc } from "svc-sdk";

const composio = new Svc({
  apiKey: process.env.COMPOSIO_API_KEY,
  baseUrl: process.env.COMPOSIO_BASE_URL,
  toolkitVersions: { textkit: "20260101_00" },
});

const result = await composio.tools.execute("TEXTKIT_REVERSE", {
  user_id: "user-4711",
  connected_account_id: undefined,
  arguments: { text: "stressed", someText: "camelCase stays" },
  version: "latest",
});
if (result.successful) console.log(result.data, result.log_id);
else console.error(result.error);
