import { existsSync, readFileSync } from "node:fs";
import { ADAPTERS } from "../../scripts/entries.js";
import type { TurnTicket } from "../../src/agents/index.js";
import type { AdaptersUnderTest, LibraryAdapter, TurnAdapter } from "./adapter-under-test.js";

/** The file of test/agents/adapters for each entry: an entry without one fails here. */
const ENTRIES: readonly AdaptersUnderTest[] = await Promise.all(
  ADAPTERS.map(async (entry) => {
    const path = `test/agents/adapters/${entry}.ts`;
    if (existsSync(path)) return (await import(`./adapters/${entry}.ts`)).adapters;
    throw new Error(`Create ${path}: docs/contributing.md, Adding an adapter.`);
  }),
);

/** The guide of each entry. */
export const GUIDES = ENTRIES.map(({ guide }, index) => ({ ...guide, entry: ADAPTERS[index] ?? "" }));

const { dependencies: large } = JSON.parse(readFileSync("test/programs/agents/package.json", "utf8"));

/** The entries whose library is so large that `npm ci` doesn't install it. */
export const LARGE: readonly string[] = GUIDES.flatMap(({ entry, packages }) =>
  packages.some((name) => name in large) ? [entry] : [],
);

/** The adapters whose `run` takes the turns of a model. */
export const TURN_ADAPTERS: Readonly<Record<TurnTicket["adapter"], TurnAdapter>> = Object.assign(
  {},
  ...ENTRIES.map(({ turns }) => turns),
);

/** Every adapter. */
export const THROUGH: Readonly<Record<string, LibraryAdapter>> = {
  ...Object.fromEntries(Object.entries(TURN_ADAPTERS).map(([name, adapter]) => [name, throughTurns(adapter)])),
  ...Object.assign({}, ...ENTRIES.map(({ libraries }) => libraries)),
};

/** The options of each adapter's functions, with a toolset. */
export const adapterOptions: AdaptersUnderTest["options"] = (tools) =>
  Object.assign({}, ...ENTRIES.map(({ options }) => options(tools)));

/** An adapter that takes the turns of a model: each call is one turn. */
function throughTurns({ create, response, passesText }: TurnAdapter): LibraryAdapter {
  return {
    passesText,
    shown: (tools) => create(tools).definitions,
    run: async (tools, name, args) => {
      const { results } = await create(tools).run(response(undefined, [["", args, name]]));
      return results[0]?.text ?? "";
    },
  };
}
