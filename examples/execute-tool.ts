// Finds a tool, reads what it takes, and runs it for a user. Run it with: node examples/execute-tool.ts
// #region find
import { Svc } from "svc-sdk";

const svc = new Svc();

for await (const { slug, description } of svc.tools.list({ toolkit_slug: "weathermap" })) {
  console.log(`${slug}: ${description}`); // WEATHERMAP_WEATHER: The weather in a city, now.
}
// #endregion

// #region schema
const tool = await svc.tools.get("WEATHERMAP_FORECAST");
console.log(`${tool.slug} ${tool.version} takes ${Object.keys(Object(tool.input_parameters["properties"])).join()}`);
// WEATHERMAP_FORECAST 20250801_00 takes city,days
// #endregion

// #region execute
const run = await svc.tools.execute("WEATHERMAP_FORECAST", {
  user_id: "user-4711",
  version: "20250801_00",
  arguments: { city: "Berlin", days: 2 },
});
if (run.successful) console.log(`Berlin: ${JSON.stringify(run.data["days"])}`); // Berlin: [{"celsius":29,"sky":"clear"},…]
// #endregion

// #region failed
const failed = await svc.tools.execute("WEATHERMAP_FORECAST", {
  user_id: "user-4711",
  version: "20250801_00",
  arguments: { city: "Atlantis", days: 2 },
});
if (!failed.successful) console.log(`The weather service said: ${failed.error}`); // … city not found
// #endregion

// #region words
const { arguments: derived, error } = await svc.tools.generateArguments(tool.slug, {
  text: 'city is "Oslo", days is 1',
});
if (derived === undefined) throw new Error(`No arguments were found: ${error}`);
console.log(`Arguments: ${JSON.stringify(derived)}`); // Arguments: {"city":"Oslo","days":1}
await svc.tools.execute(tool.slug, { user_id: "user-4711", version: tool.version, arguments: derived });
// #endregion
