import { Svc } from "svc-sdk";

const composio = new Svc({
  apiKey: process.env["COMPOSIO_API_KEY"],
  baseUrl: process.env["COMPOSIO_BASE_URL"],
});

const run = await composio.tools.execute("TEXTKIT_REVERSE", {
  user_id: "user-4711",
  version: "latest",
  arguments: { text: "stressed" },
});
console.log(run.data);
