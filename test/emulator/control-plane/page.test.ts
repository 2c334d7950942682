import { expect, test } from "vitest";
import { controlPlanePage } from "../../../scripts/control-plane-page.ts";
import { controlEndpoints } from "../../../src/emulator/control-plane/endpoints.js";

test("the page of the control plane lists every endpoint", async () => {
  await expect(controlPlanePage(controlEndpoints)).toMatchFileSnapshot("../../../docs/control-plane.md");
});
