import { expect, test } from "vitest";
import { CODE_META_TOOLS, READABLE_META_TOOLS } from "../../../src/agents/tools/meta-tools.js";
import { META_TOOLS } from "../../../src/shared/tools.js";

test("each meta tool is either readable, or runs code", () => {
  expect([...READABLE_META_TOOLS, ...CODE_META_TOOLS].toSorted()).toEqual([...META_TOOLS].toSorted());
});
