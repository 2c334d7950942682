// Moves from API v3 to v3.1 without a change of tool versions. Run it with: node examples/move-to-v3-1.ts
// #region before
import { Svc } from "svc-sdk";

const before = new Svc({ apiVersion: "v3" }); // Tools without a version use 00000000_00.
// #endregion

// #region after
const after = new Svc({ toolkitVersions: { github: "00000000_00" } }); // Otherwise v3.1 uses the latest.
// #endregion

// #region choose
const current = new Svc({ toolkitVersions: { github: "20251023_00" } });
// #endregion

for (const svc of [before, after, current]) console.log((await svc.tools.get("GITHUB_GET_AN_ISSUE")).version);
