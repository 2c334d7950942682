import { Composio } from "@composio/client";

/** Not the client. */
class Svc {
  readonly name = "mine";
}

const composio = new Composio();
export const pair = { mine: new Svc(), composio, Composio };
export const slugs = await composio.tools.retrieveEnum();
