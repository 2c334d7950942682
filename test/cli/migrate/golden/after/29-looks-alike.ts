import { NotFoundError } from "./errors.js";

// This program has its own client of that name, and says composio.trigger.message.
class Composio {
  readonly baseURL = "https://api.example.com";
  readonly tools = { retrieve: (slug: string) => ({ slug, is_composio_managed: true }) };
}

const composio = new Composio();
export const event = "composio.trigger.message";
export const tool = composio.tools.retrieve("A_TOOL");
export const isMissing = (error: unknown) => error instanceof NotFoundError;
