import Composio from "@composio/client";

export const composio = new Composio({
  apiKey: "ak_1",
  environment: "production",
  logLevel: "debug",
});

export const patient = composio.withOptions({ timeout: 120_000 });
console.log(composio.baseURL);
