import { callBack } from "./callback.js";
import type { Clock } from "./clock.js";
import type { DriftEvent, Happening, SvcEvent } from "./events.js";
import type { Log } from "./log.js";
import type { Settings } from "./options.js";

/** Tells what happens to one call, in the order in which it happens. */
export type Tell = (happening: Happening) => void;

/** Whoever was told so many different things looks for their cause, and names of an answer's own making have no end. */
const MOST_SAID = 1_000;

/** Calls are numbered over all clients, so that one observer can serve several. */
let calls = 0;

/** Passes the events of a client's calls to `onEvent` and to the log. */
export class Observer {
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #onEvent: Settings["onEvent"];
  /** Whether mismatches are logged; where the user handles them, that is enough. */
  readonly #logsDrift: boolean;
  /** What is only said once. */
  readonly #said = new Set<string>();

  constructor({ clock, log, onEvent, onMismatch }: Pick<Settings, "clock" | "log" | "onEvent" | "onMismatch">) {
    this.#clock = clock;
    this.#log = log;
    this.#onEvent = onEvent;
    this.#logsDrift = onMismatch === "report";
  }

  /** Whether anybody wants to know of more than drift and deprecations. */
  get isFollowed(): boolean {
    return this.#onEvent !== undefined || this.#log.writes("info");
  }

  /** A new call, under its own number. */
  call(operation: string): Tell {
    calls += 1;
    const callId = calls;
    // `Happening` is each event without exactly these three fields.
    return (happening) => this.#tell({ ...happening, callId, operation, at: this.#clock.now() } as SvcEvent);
  }

  #tell(event: SvcEvent): void {
    if (event.type === "deprecation" && !this.#isNew(`${event.operation} ${event.subject}`)) return;
    callBack(
      () => this.#onEvent?.(Object.freeze(event)),
      (error) => this.#log.line("error", "onEvent threw", error),
    );
    const logged = event.type === "drift" ? this.#freshDrift(event) : event;
    if (logged) this.#log.event(logged);
  }

  #freshDrift(event: DriftEvent): DriftEvent | undefined {
    if (!this.#logsDrift) return undefined;
    // What holds for one item of a list mostly holds for all of them.
    const mismatches = event.mismatches.filter(({ path }) =>
      this.#isNew(`${event.operation} at ${path.replace(/\[\d+\]/g, "[]")}`),
    );
    return mismatches.length > 0 ? { ...event, mismatches } : undefined;
  }

  #isNew(fact: string): boolean {
    const isNew = this.#said.size < MOST_SAID && !this.#said.has(fact);
    if (isNew) this.#said.add(fact);
    return isNew;
  }
}
