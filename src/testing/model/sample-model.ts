import { type ScriptedModel, scriptedModel } from "./scripted-model.js";

/**
 * Creates a model that needs neither a key nor a script, to develop an agent: it calls the offered tools that fit the
 * words of the prompt, with sample arguments that their schemas accept, and then responds with their outputs. It speaks
 * the same APIs as {@link scriptedModel}. `svc-sdk emulator --model` serves one beside the emulator.
 */
export function sampleModel(): ScriptedModel {
  // Loaded late: scripts need no samples.
  return scriptedModel({ turns: async (request) => (await import("./sample-turn.js")).sampleTurn(request) });
}
