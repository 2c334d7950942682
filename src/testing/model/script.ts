import * as option from "../../errors/option-rules.js";
import { isString } from "../../shared/json.js";
import type { ModelCall, ModelRequest, ModelTurn, ScriptedTurn } from "./types.js";

/** A turn that a function may return. */
export type AnyTurn = string | ModelTurn | Promise<string | ModelTurn>;

const TURN = {
  text: option.STRING,
  calls: { ...option.ARRAY, problems: callProblems },
  isIncomplete: { ...option.BOOLEAN, default: false },
  cutAfter: option.between(0, 1_000_000, true),
  failure: option.oneOf("overloaded", "rate_limited", "server_error"),
  repeat: { ...option.COUNT, default: 1 },
} as const satisfies option.Rules<ModelTurn>;

const CALL = {
  name: option.required(option.NAME),
  arguments: { isRequired: true },
  id: option.STRING,
  program: option.NAME,
} as const satisfies option.Rules<ModelCall>;

function callProblems(name: string, calls: unknown): string[] {
  // ARRAY has said so otherwise.
  const list: readonly ModelCall[] = Array.isArray(calls) ? calls : [];
  return list.flatMap((call, index) => option.read(call, CALL, `${name}[${index}].`).problems);
}

export function checkedTurn(turn: string | ModelTurn, path = "turn."): ModelTurn {
  return isString(turn) ? { text: turn } : option.checkAll("scriptedModel", turn, TURN, path);
}

/** The turns of a model, in order. */
export class Script {
  readonly #turns: readonly ScriptedTurn[] | ((request: ModelRequest) => AnyTurn);
  #position = 0;
  #given = 0;

  constructor(turns: readonly ScriptedTurn[] | ((request: ModelRequest) => AnyTurn)) {
    this.#turns =
      typeof turns === "function"
        ? turns
        : turns.map((turn, index) => (typeof turn === "function" ? turn : checkedTurn(turn, `turns[${index}].`)));
  }

  /** The turn for a request; `undefined` after the last. */
  async next(request: ModelRequest): Promise<ModelTurn | undefined> {
    if (typeof this.#turns === "function") return checkedTurn(await this.#turns(request));
    const turn = this.#turns[this.#position];
    if (turn === undefined) return undefined;
    this.#given += 1;
    const repeat = typeof turn === "object" ? (turn.repeat ?? 1) : 1;
    if (this.#given >= repeat) {
      this.#position += 1;
      this.#given = 0;
    }
    return checkedTurn(typeof turn === "function" ? await turn(request) : turn);
  }
}
