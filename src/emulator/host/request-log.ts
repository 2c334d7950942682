import type { World } from "./context.js";
import type { InjectedFault } from "./faults.js";
import type { RequestRecord } from "./project-records.js";
import { REDACTED } from "./responses.js";

/** Where requests are logged. */
export interface RequestLog extends Pick<World, "state" | "clock"> {
  /** Called with each request after its response. */
  readonly onRequest: ((record: RequestRecord) => void) | undefined;
}

const KEPT_REQUESTS = 1_000;

/** A request to log. */
interface LoggedRequest {
  readonly request: Request;
  readonly operation?: string;
  readonly fault?: InjectedFault | undefined;
}

/** Runs a request and logs it, even if a fault breaks the connection or the caller aborts. */
export async function recorded(
  logged: LoggedRequest,
  log: RequestLog,
  run: () => Promise<Response>,
): Promise<Response> {
  const response = await run().catch((error: unknown) => {
    record(logged, undefined, log);
    throw error;
  });
  record(logged, response.status, log);
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

/** Removes the signature of a storage URL from a query, because anyone who has it can use the URL. */
function withoutSignature(search: string): string {
  const parts = search.split("&").map((part) => {
    const mark = part.startsWith("?") ? "?" : "";
    return new URLSearchParams(part).has(SIGNATURE_PARAMETER) ? `${mark}${SIGNATURE_PARAMETER}=${REDACTED}` : part;
  });
  return parts.join("&");
}

/** Query parameter that authorizes a signed URL. */
export const SIGNATURE_PARAMETER = "signature";
