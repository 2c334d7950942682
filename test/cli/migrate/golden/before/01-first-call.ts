import Composio from "@composio/client";

const composio = new Composio({
  apiKey: process.env["COMPOSIO_API_KEY"],
  baseURL: process.env["COMPOSIO_BASE_URL"],
});

const run = await composio.tools.execute("TEXTKIT_REVERSE", {
  user_id: "user-4711",
  version: "latest",
  arguments: { text: "stressed" },
});
console.log(run.data);
