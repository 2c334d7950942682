import { afterAll } from "vitest";
import { type ModelRequest, type ModelTurn, scriptedModel } from "../../../src/testing/index.js";

/** A scripted model on a port, over the real wire of each provider. */
export interface TestModel {
  readonly url: string;
  /** Variables with its URL, for other processes. */
  readonly env: Readonly<Record<string, string>>;
  /** The requests since the script was set. */
  readonly requests: readonly ModelRequest[];
  /** Sets what it says next, a turn per request, and forgets what it was asked. After the script it says "done". */
  script(...turns: readonly ModelTurn[]): void;
}

export async function startModel(): Promise<TestModel> {
  let turns: ModelTurn[] = [];
  let before = 0;
  const model = scriptedModel({ turns: () => turns.shift() ?? "done" });
  const { url, env, close } = await model.serve();
  afterAll(close);
  return {
    url,
    env,
    get requests() {
      return model.requests.slice(before);
    },
    script: (...next) => {
      turns = [...next];
      before = model.requests.length;
    },
  };
}
