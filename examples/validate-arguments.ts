// Checks a tool's arguments before anything is sent. Run it with: node examples/validate-arguments.ts
// #region check
// npm install svc-sdk, save this as arguments.mts, then: node arguments.mts
import { Svc, ValidationError } from "svc-sdk";
import { validateArguments } from "svc-sdk/arguments";

const svc = new Svc({ use: [validateArguments()], toolkitVersions: { weathermap: "20250801_00" } });
try {
  await svc.tools.execute("WEATHERMAP_FORECAST", { user_id: "user-4711", arguments: { city: "Berlin", days: 9 } });
} catch (error) {
  if (!(error instanceof ValidationError)) throw error;
  for (const { path, expected, received } of error.mismatches)
    console.log(`${path}: expected ${expected}, received ${received}`); // days: expected at most 7, received more
}
// #endregion
