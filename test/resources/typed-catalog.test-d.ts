// Only compiled, never run: what clients accept before any types were generated.
import type { ApiPromise, GeneratedInput, GeneratedInputOf, Svc, Tool, TriggerType } from "../../src/index.js";

/** True if two types are the same. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
/** Compiles for `true` only. */
const holds = <Claim extends true>(claim?: Claim): void => void claim;

declare const svc: Svc;

export const neverRun = async (anySlug: string): Promise<void> => {
  // Any string is a slug.
  const tool = svc.tools.get(anySlug);
  const type = svc.triggers.getType(anySlug);
  const derived = svc.tools.generateArguments(anySlug, { text: "Three days in Oslo." });
  holds<Same<typeof tool, ApiPromise<Tool>>>();
  holds<Same<typeof type, ApiPromise<TriggerType>>>();
  holds<Same<typeof derived, ApiPromise<GeneratedInput>>>();
  holds<Same<GeneratedInputOf<"GITHUB_CREATE_AN_ISSUE">, GeneratedInput>>();

  // Generated arguments can be passed to an execution as they are.
  const { arguments: found } = await derived;
  await svc.tools.execute("GITHUB_CREATE_AN_ISSUE", { user_id: "u", version: "latest", arguments: found });

  // @ts-expect-error a slug is a string
  await svc.tools.get(5);
  // @ts-expect-error a slug is required
  await svc.triggers.getType(undefined);
  // @ts-expect-error text is required
  await svc.tools.generateArguments("GITHUB_CREATE_AN_ISSUE", { version: "latest" });
};
