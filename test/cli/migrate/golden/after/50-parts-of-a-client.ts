import { Svc, Svc as HighLevel } from "svc-sdk";
import { toolset } from "svc-sdk/agents";
import { mastra } from "svc-sdk/agents/mastra";

let client: Svc | undefined;

function lazy(): Svc {
  client ??= new Svc();
  return client;
}

// TODO(svc-sdk): triggerInstances has another name or other arguments here. See node_modules/svc-sdk/docs/guide/migrating.md#from-another-client
const { tools, triggerInstances } = lazy();
export const get = async (slug: string) => (await tools.get(slug)).name;
// TODO(svc-sdk): call it on the client: triggers.listActive(query, options). See node_modules/svc-sdk/docs/guide/migrating.md#from-another-client
export const active = () => triggerInstances.listActive();

// TODO(svc-sdk): retrieve has another name or other arguments here. See node_modules/svc-sdk/docs/guide/migrating.md#from-another-client
export const { retrieve } = lazy().toolkits;
// TODO(svc-sdk): svc-sdk has no tools.execute.bind here. See node_modules/svc-sdk/docs/guide/migrating.md#from-another-client
export const execute = lazy().tools.execute.bind(lazy().tools);

// TODO(svc-sdk): an adapter of svc-sdk/agents replaces MastraProvider. See node_modules/svc-sdk/docs/guide/migrating.md#tools-for-models
const provider = new MastraProvider();
export const composio = new HighLevel();

// TODO(svc-sdk): important isn't an option here. See node_modules/svc-sdk/docs/guide/migrating.md#options
export const pick = async (userId: string) => mastra(await toolset(composio, { userId, toolkits: ["textkit"], important: true }));

// TODO(svc-sdk): its replacement awaits two calls, so it needs an async function and await. See node_modules/svc-sdk/docs/guide/migrating.md#from-another-client
export const later = (userId: string) => composio.tools.get(userId, { toolkits: ["textkit"] });
