import { Svc } from "svc-sdk";

// TODO(svc-sdk): environment: the service has no default URL: set baseUrl or SVC_BASE_URL. See node_modules/svc-sdk/docs/guide/migrating.md#options
// TODO(svc-sdk): logLevel: use: [logCalls()] logs calls. See node_modules/svc-sdk/docs/guide/migrating.md#options
export const composio = new Svc({
  apiKey: "ak_1",
  environment: "production",
  logLevel: "debug",
});

// TODO(svc-sdk): clients can't be derived: create another new Svc with these options. See node_modules/svc-sdk/docs/guide/migrating.md#options
export const patient = composio.withOptions({ timeout: 120_000 });
// TODO(svc-sdk): a client doesn't show its options, such as baseURL. See node_modules/svc-sdk/docs/guide/migrating.md#options
console.log(composio.baseURL);
