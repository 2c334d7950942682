import type { ReportingFetch, TakeReports } from "../../contract/run-schema.js";
import { type ClientNote, ownerOf } from "../../shared/client-owner.js";
import { field } from "../../shared/json.js";

/** Where reports go: the origin of an emulator on a port, or the function that takes those of one in this process. */
export type ReportTarget = string | TakeReports;

/** Where the toolsets of a client or session report: an emulator in this process, or a server here that may be one. */
export function reportTarget(source: object): {
  readonly target: ReportTarget | undefined;
  readonly note: ClientNote | undefined;
} {
  const { origin, isLocal, fetch, note } = ownerOf(source) ?? {};
  if (fetch) return { target: isReporting(fetch) ? fetch.report : undefined, note };
  return { target: isLocal ? origin : undefined, note };
}

/** Whether a `fetch` is that of an emulator in this process. */
function isReporting(fetch: object): fetch is ReportingFetch {
  return typeof field(fetch, "report") === "function";
}
