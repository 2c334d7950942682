import { expect, test } from "vitest";
import { CODE_META_TOOLS, READABLE_META_TOOLS } from "../../../src/agents/tools/meta-tools.js";
import { META_TOOLS } from "../../../src/shared/tools.js";

test("two meta tools run code, and the others are readable", () => {
  expect(CODE_META_TOOLS).toEqual(["SVC_REMOTE_WORKBENCH", "SVC_REMOTE_BASH_TOOL"]);
  expect(READABLE_META_TOOLS).toEqual(META_TOOLS.filter((name) => !CODE_META_TOOLS.includes(name)));
});
