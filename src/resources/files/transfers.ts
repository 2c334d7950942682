import type { Core } from "../../core/client.js";
import { isHeaderValue } from "../../core/options/checks.js";
import type { RequestOptions } from "../../core/options/request-options.js";
import { calledAs } from "../../errors/base.js";
import { ValidationError } from "../../errors/local.js";
import type { OwnBytes } from "../../shared/bytes.js";
import { requestFileUpload } from "./endpoints.js";
import { md5 } from "./md5.js";
import type { DownloadableFile, FileArgument, RequestUploadBody } from "./schema.js";
import { transfer } from "./transfer.js";

/** Facts about the file of an upload. */
export interface FileUpload extends Omit<RequestUploadBody, "md5"> {}

/** A downloaded file. */
export interface DownloadedFile {
  /** The whole file, as `Blob`, `Response` and Web Crypto take it. */
  readonly bytes: OwnBytes;
  /** Media type from the tool, otherwise from the storage; `undefined` if neither reports one. */
  readonly mimetype: string | undefined;
}

/** Requests a URL, sends the bytes there, and returns the value for the tool. */
export async function uploadFile(
  core: Core,
  content: Blob | Uint8Array,
  facts: FileUpload,
  options: RequestOptions = {},
): Promise<FileArgument> {
  // Copied, because the caller may use its object for the next file while this one is read and sent.
  const file = { ...facts };
  if (!isBytes(content) && typeof content?.arrayBuffer !== "function") {
    throw new ValidationError("files.upload", "the content must be a Blob or a Uint8Array.");
  }
  if (!isHeaderValue(file.mimetype)) {
    throw new ValidationError(
      "files.upload",
      "the file must have a mimetype: a string without line breaks or control characters.",
    );
  }
  const shared = core.sharedDeadline("files.upload", options);
  // The request reports one that isn't valid.
  options?.signal?.throwIfAborted?.();
  // Copied, so the bytes match their checksum even if the caller changes them.
  const bytes = new Uint8Array(isBytes(content) ? content : await readBlob(content));
  const requested = core.call(requestFileUpload, { body: { ...file, md5: md5(bytes) } }, shared);
  const target = await requested.catch((error: unknown) => {
    throw calledAs("files.upload", error, options?.signal);
  });
  const isAzure = target.metadata.storage_backend === "azure_blob_storage";
  await transfer(
    core,
    {
      operation: "files.upload",
      method: "PUT",
      url: target.new_presigned_url,
      headers: { "content-type": file.mimetype, ...(isAzure && { "x-ms-blob-type": "BlockBlob" }) },
      body: bytes,
    },
    shared,
  );
  return { name: file.filename, mimetype: file.mimetype, s3key: target.key };
}

/** Checked by name, because one from another realm (jsdom, vm) isn't an instance of this realm's class. */
function isBytes(content: unknown): content is Uint8Array {
  return Object.prototype.toString.call(content) === "[object Uint8Array]";
}

async function readBlob(content: Blob): Promise<ArrayBuffer> {
  try {
    return await content.arrayBuffer();
  } catch (error) {
    const reason = error instanceof Error ? error.message : "unknown reason";
    throw new ValidationError("files.upload", `the content couldn't be read: ${reason}`);
  }
}

/** Downloads the bytes that a tool's result refers to. */
export async function downloadFile(
  core: Core,
  source: DownloadableFile | string,
  options?: RequestOptions,
): Promise<DownloadedFile> {
  const { s3url, mimetype }: Partial<DownloadableFile> =
    typeof source === "string" ? { s3url: source } : (source ?? {});
  if (s3url === undefined) {
    throw new ValidationError("files.download", "no URL. Pass the file object of a tool's result, or its s3url.");
  }
  const request = { operation: "files.download", method: "GET", url: s3url, headers: {}, body: undefined } as const;
  const { bytes, headers } = await transfer(core, request, options);
  return { bytes, mimetype: mimetype ?? headers.get("content-type") ?? undefined };
}
