import client from "./client.js";

export const types = () => client.triggersTypes.list({ toolkit_slugs: ["github"] });
