// The same calls with @composio/client (in comments) and with svc-sdk. Run it with: node examples/move-from-client.ts
// #region calls
// import Composio from "@composio/client";
import { Svc } from "svc-sdk";

// const client = new Composio({ apiKey, baseURL });
const svc = new Svc(); // Reads SVC_API_KEY and SVC_BASE_URL. Or: new Svc({ apiKey, baseUrl })

// const tool = await client.tools.retrieve("GITHUB_CREATE_AN_ISSUE");
const tool = await svc.tools.get("GITHUB_CREATE_AN_ISSUE");

// const run = await client.tools.execute(tool.slug, { user_id: "user-4711", arguments: issue });
const issue = { owner: "octo-org", repo: "hello-world", title: "It works" };
const run = await svc.tools.execute(tool.slug, { user_id: "user-4711", version: tool.version, arguments: issue });
console.log(run.successful ? `Opened ${run.data["html_url"]}` : run.error);
// #endregion
