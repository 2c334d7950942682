// The order of the steps, without an effect: a library for durable steps runs it again after each crash.
// #region work
import type * as agent from "./agent.ts";

/** The steps, by a library that keeps their results. */
export type Steps = Pick<typeof agent, "askModel" | "runTools">;

export async function work({ askModel, runTools }: Steps, conversationId: string, task: string): Promise<string> {
  const input: agent.Input[] = [{ role: "user", content: task }];
  for (;;) {
    const response = await askModel(conversationId, input);
    const { items, hasCalls } = await runTools(conversationId, response);
    if (!hasCalls) return response.output_text;
    input.push(...items);
  }
}
// #endregion
