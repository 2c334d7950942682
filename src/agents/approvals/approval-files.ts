import type { Json } from "../../shared/json.js";
import { hexOf } from "../canonical.js";
import type { FileContent, OpenFile } from "../file-arguments.js";
import { withUploads } from "../uploads.js";
import type { ApprovalFile } from "./pending.js";

/** The files that arguments name, each once, in their order. */
export async function approvalFiles(schema: Json, args: Json, open: OpenFile): Promise<ApprovalFile[]> {
  const sources = new Set<string>();
  await withUploads(schema, args, async (source) => sources.add(source));
  return Promise.all([...sources].map(async (source) => described(source, await open(source))));
}

async function described(source: string, { content, filename, mimetype }: FileContent): Promise<ApprovalFile> {
  // A view of shared memory, which `BlobPart` excludes, is copied like any other.
  const bytes = await new Blob([content as BlobPart]).arrayBuffer();
  const sha256 = hexOf(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)));
  return { source, sha256, bytes: bytes.byteLength, filename, mimetype };
}
