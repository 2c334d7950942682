import {
  Svc,
  ConnectionError,
  TimeoutError,
  ApiError,
  ServerError,
  NotFoundError,
  RateLimitError,
  BadRequestError,
} from "svc-sdk";

const composio = new Svc();

export async function find(slug: string) {
  try {
    return await composio.toolkits.get(slug);
  } catch (error) {
    if (error instanceof NotFoundError || error instanceof BadRequestError) return undefined;
    if (error instanceof RateLimitError) console.warn("slow down");
    if (error instanceof TimeoutError) console.warn("slow network");
    if (error instanceof ConnectionError) console.warn("no network");
    if (error instanceof ServerError) console.warn("their fault");
    if (error instanceof ApiError) console.warn(error.status);
    throw error;
  }
}
