// From a new process to the first response: importing, creating a client, one call.
import { compare, interleave, mapValues, median } from "../kit/measure.mjs";
import { withProcesses } from "../kit/processes.mjs";
import { digits } from "../kit/tables.mjs";
import { CONTENDERS } from "../rivals/contenders.mjs";

const EMULATOR = "svc-sdk/emulator, in process";
/** The imported packages, and the client that then makes a call. */
const SUBJECTS = {
  "nothing, then fetch": [[], "fetch + JSON.parse"],
  "ky and p-retry, then ky": [["ky", "p-retry"], "ky"],
  "svc-sdk": [["svc-sdk"], "svc-sdk"],
  "svc-sdk + contract": [["svc-sdk", "svc-sdk/contract"], "svc-sdk + contract"],
  "svc-sdk/webhooks": [["svc-sdk/webhooks"]],
  "zod/mini": [["zod/mini"]],
  [EMULATOR]: [["svc-sdk/emulator"], "emulator"],
  "@composio/client 2": [["@composio/client"], "@composio/client 2"],
  "@composio/client 0.1": [["composio-client-0"], "@composio/client 0.1"],
  openai: [["openai"], "openai"],
  stripe: [["stripe"], "stripe"],
  svix: [["svix"], "svix"],
  standardwebhooks: [["standardwebhooks"]],
  "@pipedream/sdk": [["@pipedream/sdk"], "@pipedream/sdk"],
};
const IMPORT = "import, ms";
const FIRST_CALL = "first call, ms";
/**
 * The emulator's ratios before it had an inspector, measured in the same way. The emulator must not take longer.
 * See docs/decisions/0003-the-emulator.md.
 */
const EMULATOR_BEFORE = { import: 2.16, both: 3.08 };

export const start = {
  title: "Import and first call",
  about: `In a new process each time: how long the import takes, and then creating a client and its first call over loopback, which
also loads what the runtime and the client load lazily.`,
  measure: ({ quick }) =>
    withProcesses(async (opened) => {
      const { greeting, ask: serve } = await opened("./server.mjs");
      const firstCalls = Object.fromEntries(Object.keys(SUBJECTS).map((name) => [name, []]));
      const imports = await interleave(Object.keys(SUBJECTS), { rounds: quick ? 3 : 45 }, async (name) => {
        const [specifiers, contender] = SUBJECTS[name];
        if (contender in CONTENDERS) await serve({ wire: CONTENDERS[contender].wire ?? "tools", row: "one" });
        const parameters = [JSON.stringify({ specifiers, contender, ...greeting })];
        const { greeting: { importMs, firstCallMs } } = await opened("../rivals/start.mjs", parameters);
        firstCalls[name].push(firstCallMs);
        return importMs;
      });
      return { [IMPORT]: imports, [FIRST_CALL]: firstCalls };
    }),
  rows: (figures) =>
    mapValues(SUBJECTS, ([, contender], name) => ({
      [IMPORT]: digits(median(figures[IMPORT][name])),
      [FIRST_CALL]: contender ? digits(median(figures[FIRST_CALL][name])) : "",
    })),
  budgets: ({ [IMPORT]: imports, [FIRST_CALL]: firstCalls }) => {
    const both = imports[EMULATOR].map((importMs, round) => importMs + firstCalls[EMULATOR][round]);
    const onTopOfZod = (times) => compare(times, imports["zod/mini"]);
    const [imported, started] = [onTopOfZod(imports[EMULATOR]), onTopOfZod(both)];
    return [
      ["importing `svc-sdk`, ÷ importing ky and p-retry", compare(imports["svc-sdk"], imports["ky and p-retry, then ky"]).ratio, 1.15],
      ["importing `svc-sdk/emulator`, ÷ importing zod/mini (budget: before its inspector)", imported.ratio, EMULATOR_BEFORE.import, imported.certain],
      ["the same and its first request, ÷ importing zod/mini (budget: before its inspector)", started.ratio, EMULATOR_BEFORE.both, started.certain],
    ];
  },
};
