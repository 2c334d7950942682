import { Svc } from "svc-sdk";

export const composio = new Svc({ baseUrl: "http://127.0.0.1:4747", apiKey: "ak_local" });
export default composio;
