/** How often the scheduler may do what a bad day does, per run. */
export interface Faults {
  /** Processes that die. */
  readonly crashes?: number;
  /** Requests whose reply is lost, or that fail before they arrive. */
  readonly lostReplies?: number;
  /** Requests that a client sends again after the store has acted, because its connection was lost. */
  readonly resends?: number;
  /** Requests that arrive after their process was told that the connection is lost. */
  readonly lateRequests?: number;
  /** Replies that arrive after other things have happened. */
  readonly lateReplies?: number;
  /** Timers that fire although something else could happen first. */
  readonly earlyTimers?: number;
  /** Wall clocks that jump by an hour. */
  readonly clockJumps?: number;
  /** Minutes in which no timer fires, as on a machine that is suspended. */
  readonly suspensions?: number;
}
