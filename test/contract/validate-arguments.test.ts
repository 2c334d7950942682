import { describe, expect, test } from "vitest";
import type { ArgumentValidator } from "../../src/contract/arguments.js";
import { type ExecuteOptions, ValidationError } from "../../src/index.js";
import { clientOf, rejectionOf } from "../support/client.js";
import { scriptedFetch } from "../support/scripted-fetch.js";

const TOOL = "A_TOOL";
const VERSION = "20250930_00";

/** Only the schema itself is valid, so each test decides what is. */
const validateArguments: ArgumentValidator = {
  check: (schema, value) =>
    schema === value ? [] : [{ path: "", expected: "the schema", received: "something else" }],
};

/** A client of a service that returns this for each tool, with the warnings it logs. */
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

describe("validateArguments", () => {
  test("requests the tool in the version of the call", async () => {
    const { svc, fetch } = checking({ input_parameters: {} });
    await rejectionOf(ValidationError, svc.tools.execute(TOOL, { version: VERSION, arguments: {} }));
    expect(fetch.sent.map(({ target }) => target)).toEqual([`/api/v3.1/tools/${TOOL}?version=${VERSION}`]);
  });

  test.each<ExecuteOptions>([
    { effect: "none" },
    { beforeSend: () => expect.unreachable("it's called before an execution only") },
  ])("requests the tool without the options that only an execution has: %j", async (options) => {
    const { svc, fetch, warnings } = checking({ input_parameters: {} });
    await rejectionOf(ValidationError, svc.tools.execute(TOOL, { version: VERSION, arguments: {} }, options));
    expect(fetch.sent.map(({ method }) => method)).toEqual(["GET"]);
    expect(warnings).toEqual([]);
  });

  test("checks arguments next to `text`, because the service uses the arguments", async () => {
    const { svc } = checking({ input_parameters: {} });
    // The types allow only one of the two. A JavaScript program may pass both.
    const call = svc.tools.execute(TOOL, { version: VERSION, arguments: {}, text: "t" } as never);
    await rejectionOf(ValidationError, call);
  });

  test("requests and checks nothing if the call has only `text`", async () => {
    const { svc, fetch } = checking({ input_parameters: {} });
    await svc.tools.execute(TOOL, { version: VERSION, text: "t" });
    expect(fetch.sent).toHaveLength(1);
  });

  test("warns once per tool and version, and sends the call, if there is no schema", async () => {
    const { svc, warnings } = checking({ slug: TOOL });
    const warning = (tool: string, version = VERSION) =>
      `svc-sdk: tools.execute: the arguments of ${tool} (${version}) are not checked. tools.get returned no input_parameters.`;
    await svc.tools.execute(TOOL, { version: VERSION, arguments: {} });
    expect(warnings).toEqual([warning(TOOL)]);
    await svc.tools.execute(TOOL, { version: VERSION, arguments: {} });
    expect(warnings).toHaveLength(1);
    await svc.tools.execute(TOOL, { version: "20250101_00", arguments: {} });
    await svc.tools.execute("B_TOOL", { version: VERSION, arguments: {} });
    expect(warnings).toEqual([warning(TOOL), warning(TOOL, "20250101_00"), warning("B_TOOL")]);
  });
});
