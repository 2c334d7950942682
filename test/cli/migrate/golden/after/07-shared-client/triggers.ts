import client from "./client.js";

export const types = () => client.triggers.listTypes({ toolkit_slugs: ["github"] });
