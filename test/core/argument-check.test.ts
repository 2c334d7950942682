import { describe, expect, test } from "vitest";
import type { ArgumentValidator } from "../../src/arguments/index.js";
import { ValidationError } from "../../src/index.js";
import { clientOf, rejectionOf } from "../support/client.js";
import { scriptedFetch } from "../support/scripted-fetch.js";

const TOOL = "A_TOOL";
const VERSION = "20250930_00";

/** Takes nothing but the schema itself, so that each test says what fits. */
const validateArguments: ArgumentValidator = {
  check: (schema, value) => (schema === value ? [] : [{ path: "", expected: "the schema", seen: "something else" }]),
};

/** A client whose tools are shown like this, with the warnings it logs. */
function checking(shown: object) {
  const warnings: string[] = [];
  const logger = {
    debug: () => undefined,
    info: () => undefined,
    warn: (line: string) => void warnings.push(line),
  };
  const fetch = scriptedFetch(({ method }) => Response.json(method === "GET" ? shown : { successful: true, data: {} }));
  return { svc: clientOf(fetch, { validateArguments, logger }), fetch, warnings };
}

describe("an execution whose arguments are checked", () => {
  test("asks for the version that its caller names", async () => {
    const { svc, fetch } = checking({ input_parameters: {} });
    await rejectionOf(ValidationError, svc.tools.execute(TOOL, { version: VERSION, arguments: {} }));
    expect(fetch.sent.map(({ target }) => target)).toEqual([`/api/v3.1/tools/${TOOL}?version=${VERSION}`]);
  });

  test("with arguments and a text is checked: the service takes the arguments", async () => {
    const { svc } = checking({ input_parameters: {} });
    // The types keep the two apart; a program in JavaScript may give both.
    const call = svc.tools.execute(TOOL, { version: VERSION, arguments: {}, text: "t" } as never);
    await rejectionOf(ValidationError, call);
  });

  test("with a text is not checked, and nothing is asked", async () => {
    const { svc, fetch } = checking({ input_parameters: {} });
    await svc.tools.execute(TOOL, { version: VERSION, text: "t" });
    expect(fetch.sent).toHaveLength(1);
  });

  test("without a schema goes out with a warning: the first time for each tool and each version", async () => {
    const { svc, warnings } = checking({ slug: TOOL });
    const warning = (tool: string, version = VERSION) =>
      `svc-sdk: tools.execute: the arguments of ${tool} (${version}) are not checked. tools.get shows no input_parameters.`;
    await svc.tools.execute(TOOL, { version: VERSION, arguments: {} });
    expect(warnings).toEqual([warning(TOOL)]);
    await svc.tools.execute(TOOL, { version: VERSION, arguments: {} });
    expect(warnings).toHaveLength(1);
    await svc.tools.execute(TOOL, { version: "20250101_00", arguments: {} });
    await svc.tools.execute("B_TOOL", { version: VERSION, arguments: {} });
    expect(warnings).toEqual([warning(TOOL), warning(TOOL, "20250101_00"), warning("B_TOOL")]);
  });
});
