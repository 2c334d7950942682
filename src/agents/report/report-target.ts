import type { RunReport } from "../../contract/run-schema.js";
import { field } from "../../shared/json.js";
import { ownerOf } from "../conversation-memory.js";

/** Where reports go: the origin of an emulator on a port, or the function that takes those of one in this process. */
export type ReportTarget = string | ((reports: readonly RunReport[]) => void);

/** Writes a line to the log of a client. */
export type ReportNote = (message: string) => void;

/** The facts of a client that its toolsets use. */
interface Owner {
  /** Scheme, host and port of its service. */
  readonly origin?: string;
  /** Whether its requests stay on this machine. */
  readonly isLocal?: boolean;
  /** Its `fetch` option. */
  readonly fetch?: object | undefined;
  readonly note?: ReportNote;
}

/** Where the toolsets of a client or session report: an emulator in this process, or a server here that may be one. */
export function reportTarget(source: object): {
  readonly target: ReportTarget | undefined;
  readonly note?: ReportNote;
} {
  // The client writes it.
  const { origin, isLocal = false, fetch, note } = ownerOf(source) as Owner;
  // An emulator's `fetch` takes reports.
  const target = fetch ? (field(fetch, "report") as ReportTarget | undefined) : isLocal ? origin : undefined;
  return { target, ...(note && { note }) };
}
