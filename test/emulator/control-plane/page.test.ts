import { expect, test } from "vitest";
import { controlPlanePage } from "../../../scripts/control-plane-page.ts";
import { controlEndpoints } from "../../../src/emulator/control-plane/endpoints.js";

test("the page of the control plane lists every endpoint", async () => {
  const written = controlPlanePage(controlEndpoints);
  await expect(written, "run npm run write").toMatchFileSnapshot("../../../docs/control-plane.md");
});
