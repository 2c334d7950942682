import type { World } from "./context.js";
import type { InjectedFault } from "./faults.js";
import type { RequestRecord } from "./project-records.js";
import { REDACTED } from "./responses.js";

/** Where requests are kept, and who hears of them. */
export interface RequestLog extends Pick<World, "state" | "clock"> {
  /** Told about each request after it was answered. */
  readonly onRequest: ((record: RequestRecord) => void) | undefined;
}

const KEPT_REQUESTS = 1_000;

/** What is asked of the emulator. */
interface LoggedRequest {
  readonly request: Request;
  readonly operation?: string;
  readonly fault?: InjectedFault | undefined;
}

/** Answers, and keeps a record of it: also where a fault breaks the connection, or the caller went away. */
export async function recorded(asked: LoggedRequest, log: RequestLog, run: () => Promise<Response>): Promise<Response> {
  const response = await run().catch((error: unknown) => {
    record(asked, undefined, log);
    throw error;
  });
  record(asked, response.status, log);
  return response;
}

function record(
  { request, operation, fault }: LoggedRequest,
  status: number | undefined,
  { state, clock, onRequest }: RequestLog,
): void {
  const { pathname, search } = new URL(request.url);
  const entry: RequestRecord = {
    at: clock.iso(),
    method: request.method,
    path: pathname + withoutSignature(search),
    operation,
    status,
    ...(fault && { fault: fault.connection ?? (fault.status === undefined ? "delay" : `status ${fault.status}`) }),
  };
  state.log.requests.push(entry);
  if (state.log.requests.length > KEPT_REQUESTS) state.log.requests.shift();
  onRequest?.(entry);
}

/** A query for the log: with the signature of a storage URL, anyone could use it. */
function withoutSignature(search: string): string {
  const parts = search.split("&").map((part) => {
    const mark = part.startsWith("?") ? "?" : "";
    return new URLSearchParams(part).has(SIGNATURE_PARAMETER) ? `${mark}${SIGNATURE_PARAMETER}=${REDACTED}` : part;
  });
  return parts.join("&");
}

/** The query parameter that is the right to use a signed URL. */
export const SIGNATURE_PARAMETER = "signature";
