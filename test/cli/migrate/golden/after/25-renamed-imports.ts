import { Svc as Api, NotFoundError as Missing } from "svc-sdk";
import * as library from "svc-sdk";

const api = new Api();
const second = new library.Svc({ maxRetries: 1 });

export async function check(slug: string): Promise<boolean> {
  try {
    await api.toolkits.get(slug);
    await second.toolkits.get(slug);
    return true;
  } catch (error) {
    return !(error instanceof Missing || error instanceof library.RateLimitError);
  }
}
