import Composio from "@composio/client";
import { Composio as HighLevel } from "@composio/core";
import { MastraProvider } from "@composio/mastra";

let client: Composio | undefined;

function lazy(): Composio {
  client ??= new Composio();
  return client;
}

const { tools, triggerInstances } = lazy();
export const get = async (slug: string) => (await tools.retrieve(slug)).name;
export const active = () => triggerInstances.listActive();

export const { retrieve } = lazy().toolkits;
export const execute = lazy().tools.execute.bind(lazy().tools);

const provider = new MastraProvider();
export const composio = new HighLevel({ provider });

export const pick = async (userId: string) => composio.tools.get(userId, { toolkits: ["textkit"], important: true });

export const later = (userId: string) => composio.tools.get(userId, { toolkits: ["textkit"] });
