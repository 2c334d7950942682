// Files that a model names, and files in results. Run it with: node examples/agents/files.ts
// #region files
// npm install svc-sdk, save this as files.mts, then: node files.mts
import { readFile, realpath } from "node:fs/promises";
import { basename, join, sep } from "node:path";
import { Svc } from "svc-sdk";
import { toolset } from "svc-sdk/agents";

/** The one folder that a model may read. */
const outbox = await realpath(new URL("outbox/", import.meta.url));

const tools = await toolset(new Svc(), {
  userId: "user-4711",
  tools: ["DRIVE_UPLOAD_FILE"],
  openFile: async ({ source }) => {
    const path = await realpath(join(outbox, source)).catch(() => "");
    if (!path.startsWith(outbox + sep)) throw new Error("The outbox has no such file.");
    return { content: await readFile(path), filename: basename(path), mimetype: "text/plain" };
  },
});
// #endregion

// #region run
const upload = (source: string) => ({ callId: source, name: "DRIVE_UPLOAD_FILE", arguments: { file: source } });
for (const { text } of await tools.run([upload("letter.txt"), upload("../keys.ts")])) console.log(text);
// {"id":"file-1","name":"letter.txt","size":14}
// DRIVE_UPLOAD_FILE failed: The outbox has no such file. Nothing ran.
// #endregion
