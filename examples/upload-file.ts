// Gives a file to a tool, and gets one back. Run it with: node examples/upload-file.ts
// #region upload
import { type DownloadableFile, Svc } from "svc-sdk";

const svc = new Svc();
const version = "20251103_00"; // A version of the toolkit drive.

const file = await svc.files.upload(new Blob(["Dear Ada, …"]), {
  toolkit_slug: "drive",
  tool_slug: "DRIVE_UPLOAD_FILE",
  filename: "letter.txt",
  mimetype: "text/plain",
});
const stored = await svc.tools.execute("DRIVE_UPLOAD_FILE", { user_id: "ada", version, arguments: { file } });
if (!stored.successful) throw new Error(`not stored: ${stored.error}`);
console.log(`Stored ${stored.data["name"]} as ${stored.data["id"]}, ${stored.data["size"]} bytes`);
// Stored letter.txt as file-1, 13 bytes
// #endregion

// #region download
const fetched = await svc.tools.execute("DRIVE_DOWNLOAD_FILE", {
  user_id: "ada",
  version,
  arguments: { file_id: stored.data["id"] },
});
// A result is the tool's own JSON. Its output schema marks the field with `file_downloadable`.
const { bytes, mimetype } = await svc.files.download(fetched.data["file"] as DownloadableFile);
console.log(`Got ${mimetype}: ${new TextDecoder().decode(bytes)}`); // Got text/plain: Dear Ada, …
// #endregion
