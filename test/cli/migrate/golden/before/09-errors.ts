import Composio, {
  APIConnectionError,
  APIConnectionTimeoutError,
  APIError,
  InternalServerError,
  NotFoundError,
  RateLimitError,
} from "@composio/client";

const composio = new Composio();

export async function find(slug: string) {
  try {
    return await composio.toolkits.retrieve(slug);
  } catch (error) {
    if (error instanceof NotFoundError || error instanceof Composio.BadRequestError) return undefined;
    if (error instanceof RateLimitError) console.warn("slow down");
    if (error instanceof APIConnectionTimeoutError) console.warn("slow network");
    if (error instanceof APIConnectionError) console.warn("no network");
    if (error instanceof InternalServerError) console.warn("their fault");
    if (error instanceof APIError) console.warn(error.status);
    throw error;
  }
}
