// Only compiled, never run: every `@ts-expect-error` is a rule that doesn't match its option.
import * as option from "../../src/errors/option-rules.js";

interface Options {
  readonly mode?: "fast" | "safe" | undefined;
  readonly onProblem?: "throw" | (() => void) | undefined;
  readonly limit?: number | undefined;
}

const mode = option.oneOf("fast", "safe");
const onProblem = option.either(option.oneOf("throw"), option.FUNCTION);
const limit = option.COUNT;

export const tables = {
  complete: { mode: { ...mode, default: "fast" }, onProblem, limit: { ...limit, default: 3 } },
  // @ts-expect-error the list lacks "safe"
  lacksValue: { mode: option.oneOf("fast"), onProblem, limit },
  // @ts-expect-error the type has no "slow"
  hasOther: { mode: option.oneOf("fast", "safe", "slow"), onProblem, limit },
  // @ts-expect-error the list lacks "throw"
  lacksWord: { mode, onProblem: option.either(option.BOOLEAN, option.FUNCTION), limit },
  // @ts-expect-error the default isn't a value of the list
  otherDefault: { mode: { ...mode, default: "slow" }, onProblem, limit },
  // @ts-expect-error the default isn't a number
  otherTypeOfDefault: { mode, onProblem, limit: { ...limit, default: "3" } },
  // @ts-expect-error the table lacks a rule
  lacksRule: { mode, onProblem },
} as const satisfies Readonly<Record<string, option.Rules<Options>>>;
