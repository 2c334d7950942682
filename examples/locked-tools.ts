// Runs only the tools and versions in the lockfile. Run it with: node examples/locked-tools.ts
// #region client
// npm install svc-sdk, save this as locked.mts, then: node locked.mts
import { Svc, ToolLockError, toolLock } from "svc-sdk";
import lock from "./svc.lock.json" with { type: "json" };

const svc = new Svc({ use: [toolLock(lock, { rejectUnlocked: true })] });
// #endregion

// #region execute
const run = await svc.tools.execute("GITHUB_STAR_A_REPOSITORY", {
  user_id: "user-4711", // No version here: the lockfile has it.
  arguments: { owner: "octo-org", repo: "hello-world" },
});
console.log(`starred: ${run.successful}`); // starred: true
// #endregion

// #region rejected
try {
  await svc.tools.execute("TEXTKIT_REVERSE", { user_id: "user-4711", arguments: { text: "abc" } });
} catch (error) {
  if (!(error instanceof ToolLockError)) throw error;
  console.log(`${error.slug} is not locked`); // Nothing was sent.
}
// #endregion
