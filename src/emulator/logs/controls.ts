import { readShape } from "../../contract/check-shape.js";
import type { Engine } from "../engine/engine.js";
import { ExecutionLogFaults } from "../engine/options-schema.js";
import type { State } from "../engine/state.js";

/** No injected faults. */
export const NO_LOG_FAULTS: State["executionLog"]["faults"] = {
  delayMs: 0,
  dropPayloads: false,
  dropRequestIds: false,
};

/** Faults of the execution log. */
export class ExecutionLog {
  readonly #engine: Engine;

  /** @internal */
  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /**
   * Injects faults, replacing earlier ones. They apply to all entries, including entries of earlier executions. To let
   * the log respond late, use `faults.next("logs.listToolExecutions", { delayMs })`.
   *
   * @throws {ConfigError} for a number out of range.
   */
  injectFaults(faults: ExecutionLogFaults): void {
    const read = readShape(ExecutionLogFaults, faults, "executionLog.injectFaults");
    const given = Object.entries(read).filter(([, value]) => value !== undefined);
    this.#setFaults({ ...NO_LOG_FAULTS, ...Object.fromEntries(given) });
  }

  /** Stops injecting faults. Delayed entries appear immediately. */
  clearFaults(): void {
    this.#setFaults({ ...NO_LOG_FAULTS });
  }

  /** The injected faults. */
  get faults(): Required<ExecutionLogFaults> {
    return this.#engine.state.executionLog.faults;
  }

  #setFaults(faults: State["executionLog"]["faults"]): void {
    this.#engine.state.executionLog.faults = faults;
    this.#engine.feed.publish({ type: "faults" });
  }
}
