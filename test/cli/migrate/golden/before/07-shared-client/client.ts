import Composio from "@composio/client";

export const composio = new Composio({ baseURL: "http://127.0.0.1:4747", apiKey: "ak_local" });
export default composio;
