import Api, { NotFoundError as Missing } from "@composio/client";
import * as library from "@composio/client";

const api = new Api();
const second = new library.Composio({ maxRetries: 1 });

export async function check(slug: string): Promise<boolean> {
  try {
    await api.toolkits.retrieve(slug);
    await second.toolkits.retrieve(slug);
    return true;
  } catch (error) {
    return !(error instanceof Missing || error instanceof library.RateLimitError);
  }
}
