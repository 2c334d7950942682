// Chooses the version of a tool. Run it with: node examples/tool-versions.ts
// #region required
import { Svc, ToolVersionRequiredError } from "svc-sdk";

const issue = { owner: "octo-org", repo: "hello-world", title: "It works" };

try {
  await new Svc().tools.execute("GITHUB_CREATE_AN_ISSUE", { user_id: "user-4711", arguments: issue });
} catch (error) {
  if (!(error instanceof ToolVersionRequiredError)) throw error;
  console.log(`${error.toolSlug} needs a version`); // Nothing was sent.
}
// #endregion

// #region pin
const svc = new Svc({
  toolkitVersions: { github: "20251023_00", slack: "latest" },
  toolVersions: { GITHUB_GET_AN_ISSUE: "20250905_00" }, // Overrides its toolkit's version.
});
await svc.tools.execute("GITHUB_CREATE_AN_ISSUE", { user_id: "user-4711", arguments: issue }); // 20251023_00
const { version } = await svc.tools.get("GITHUB_GET_AN_ISSUE"); // 20250905_00
// #endregion
console.log(`pinned: ${version}`);

// #region call
const older = await svc.tools.get("GITHUB_GET_AN_ISSUE", { version: "00000000_00" }); // Overrides both.
// #endregion
console.log(`asked for: ${older.version}`);
