import { STRINGS } from "../../errors/option-rules.js";
import { chain } from "../../shared/chain.js";
import { isString, type Json } from "../../shared/json.js";
import { CALL_STATUSES, hasRun } from "../../shared/tools.js";
import type { Ending } from "../call-result.js";
import type { ResultOptions } from "../files.js";
import { frozenCopy } from "../json-copy.js";
import type { MiddlewareCall, ToolMiddleware } from "../tool-middleware.js";
import * as messages from "./messages.js";
import { resultText } from "./result-text.js";
import { takeFiles } from "./take-files.js";

type PerformCall = (args: Json) => Promise<Ending>;

/** Passes a call through the functions in `use`, and corrects what their result can't say. */
export async function wrapCall(
  use: readonly ToolMiddleware[],
  call: MiddlewareCall,
  results: ResultOptions,
  run: PerformCall,
): Promise<Ending> {
  const wrapped = new WrappedCall(call, use, run);
  const given = await wrapped.pass();
  if (!CALL_STATUSES.includes(given?.status) || !isString(given.text) || !STRINGS.isFit(given.labels ?? [])) {
    throw new TypeError(
      "toolset: a function in use must return the result of next(), or { status, text }. Labels must be a list of strings.",
    );
  }
  const ending = { ...given, status: wrapped.statusAfter(given.status) };
  if (ending.status !== "succeeded" || !wrapped.hasOldText(ending)) return ending;
  const { data, files } = await takeFiles(call, messages.readable(call.tool.name, ending.data), results, {
    signal: call.signal,
  });
  return { ...ending, text: resultText(data, results.maxResultBytes), files };
}

/** A call inside of the functions that wrap it, and how far it has run. */
class WrappedCall {
  readonly #call: MiddlewareCall;
  readonly #use: readonly ToolMiddleware[];
  readonly #run: PerformCall;
  #isRunning = false;
  #ran: { readonly ending: Ending; readonly data: string | undefined } | undefined;
  /** Neither the outermost function that returned or threw nor those that it wraps may start the call anymore. */
  #firstEnded: number;

  constructor(call: MiddlewareCall, use: readonly ToolMiddleware[], run: PerformCall) {
    this.#call = call;
    this.#use = use;
    this.#run = run;
    this.#firstEnded = use.length;
  }

  async pass(): Promise<Ending> {
    try {
      return await chain(
        this.#use,
        () => this.#start(),
        (middleware, next, index) => () => this.#through(middleware, next, index),
      )();
    } catch (error) {
      if (!this.#isRunning) throw error;
      return { status: "unknown", text: messages.startedBefore(this.#call.tool.name), error };
    }
  }

  /** The status, unless it says that nothing ran although the call has run or still runs. */
  statusAfter(status: Ending["status"]): Ending["status"] {
    const before = this.#isRunning ? "unknown" : this.#ran?.ending.status;
    return before && hasRun(before) && !hasRun(status) ? before : status;
  }

  /** Whether the data was changed, but not the text, which would contain what was removed from the data. */
  hasOldText(ending: Ending): boolean {
    const ran = this.#ran;
    if (ran === undefined) return ending.data !== undefined && ending.text === "";
    return ending.text === ran.ending.text && this.#shown(ending) !== ran.data;
  }

  async #through(middleware: ToolMiddleware, next: () => Promise<Ending>, index: number): Promise<Ending> {
    let isCalled = false;
    try {
      return await middleware(this.#call, () => {
        if (isCalled) throw new TypeError("toolset: a function in use called next() twice. A call runs once.");
        isCalled = true;
        const running = this.#enter(index, next);
        // A function that doesn't await it must not end the process.
        running.catch(() => undefined);
        return running;
      });
    } finally {
      this.#firstEnded = Math.min(this.#firstEnded, index);
    }
  }

  async #enter(index: number, next: () => Promise<Ending>): Promise<Ending> {
    if (index < this.#firstEnded) return next();
    throw new TypeError("toolset: a function in use called next() after the call had ended. Await next().");
  }

  async #start(): Promise<Ending> {
    this.#isRunning = true;
    try {
      const ending = await this.#run(frozenCopy(this.#call.arguments));
      this.#ran = { ending, data: this.#shown(ending) };
      return ending;
    } finally {
      this.#isRunning = false;
    }
  }

  #shown({ data }: Ending): string | undefined {
    return JSON.stringify(messages.readable(this.#call.tool.name, data));
  }
}
