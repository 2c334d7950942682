import { digestOf } from "../../shared/canonical-json.js";
import { untilAborted } from "../../shared/timers.js";
import { checkedRecord } from "../start-once.js";
import type { Execution } from "../tool.js";
import { type Deciding, subjectOf } from "./deciding.js";

/**
 * A call that was counted, and then lacked an account: a record in the store of executions that is started and never
 * ends. The budgets that never reset don't count the call again.
 */
export class ParkedCall {
  readonly #deciding: Deciding;
  readonly #execution: Execution;

  constructor(deciding: Deciding, execution: Execution) {
    this.#deciding = deciding;
    this.#execution = execution;
  }

  /** Whether exactly this call was counted and parked by an earlier run. */
  async wasCounted(signal: AbortSignal | undefined): Promise<boolean> {
    // Only the service finds out that an account is missing after the call was counted.
    if (this.#execution.tool.kind === "local" || !this.#deciding.counter.counts(this.#calls)) return false;
    const { executions } = this.#deciding;
    const record = checkedRecord(await untilAborted(signal, executions.find(this.#id)));
    return record !== undefined && record.stamp === (await this.#stamp());
  }

  /** Records that the call is parked. Without the record, it is counted again, which no limit allows to pass. */
  async record(): Promise<void> {
    const { counter, executions } = this.#deciding;
    if (!counter.counts(this.#calls)) return;
    const stamp = await this.#stamp();
    await executions.start(this.#id, stamp).catch(() => undefined);
  }

  get #calls(): readonly Execution[] {
    return [this.#execution, ...this.#execution.inner];
  }

  get #id(): string {
    return JSON.stringify([this.#deciding.scope, this.#execution.callId, "counted"]);
  }

  /** Digest of the call and its amounts: an approval at a limit was for these arguments. */
  #stamp(): Promise<string> {
    const { tool, arguments: args } = this.#execution;
    return digestOf([tool.name, args, this.#deciding.counter.lasting(this.#calls, subjectOf(this.#deciding))]);
  }
}
