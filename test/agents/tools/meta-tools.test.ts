import { expect, test } from "vitest";
import { CODE_META_TOOLS, READABLE_META_TOOLS } from "../../../src/agents/tools/meta-tools.js";
import { META_TOOLS } from "../../../src/resources/tool-router/call-schema.js";

test("a policy knows every meta tool of the contract", () => {
  expect([...READABLE_META_TOOLS, ...CODE_META_TOOLS].toSorted()).toEqual([...META_TOOLS].toSorted());
});
