import type { Core } from "../../client/client.js";
import { isHeaderValue } from "../../client/options/checks.js";
import type { RequestOptions } from "../../client/request-options.js";
import { calledAs } from "../../errors/base.js";
import { ValidationError } from "../../errors/local.js";
import { isArrayBuffer } from "../../shared/array-buffer.js";
import { files } from "./endpoints.js";
import { md5 } from "./md5.js";
import type * as shapes from "./schema.js";
import { transferBytes } from "./transfer.js";

/** Name, media type and tool of a file to upload. */
export interface FileUpload extends Omit<shapes.RequestUploadBody, "md5"> {}

/** A downloaded file. */
export interface DownloadedFile {
  // `Uint8Array<ArrayBuffer>`, even for compilers whose `Uint8Array` isn't generic. Where it is, a plain one may be in
  // shared memory, which no web API takes.
  /** The whole file. Can be passed to `Blob`, `Response` and Web Crypto. */
  readonly bytes: ReturnType<typeof Uint8Array.of>;
  /** Media type from the tool, otherwise from the storage. `undefined` if neither reports it. */
  readonly mimetype: string | undefined;
}

/**
 * Uploads a file. See `Files.upload`.
 *
 * @param content - A copy, so that the bytes match their checksum even if the caller changes its own.
 * @param options - With the deadline that both requests share.
 */
export async function upload(
  core: Core,
  content: Blob | Uint8Array,
  facts: FileUpload,
  options: RequestOptions,
  signal: AbortSignal | undefined,
): Promise<shapes.FileArgument> {
  if (!(content instanceof Uint8Array) && typeof content?.arrayBuffer !== "function") {
    throw new ValidationError("files.upload", "the content must be a Blob or a Uint8Array.");
  }
  if (!isHeaderValue(facts.mimetype)) {
    throw new ValidationError(
      "files.upload",
      "the file must have a mimetype: a string without line breaks or control characters.",
    );
  }
  // The request reports one that isn't valid.
  signal?.throwIfAborted?.();
  const bytes = new Uint8Array(content instanceof Uint8Array ? content : await readBlob(content));
  const requested = core.call(files().requestUpload, { body: { ...facts, md5: md5(bytes) } }, options);
  const target = await requested.catch((error: unknown) => {
    throw calledAs("files.upload", error, signal);
  });
  const isAzure = target.metadata.storage_backend === "azure_blob_storage";
  await transferBytes(
    core,
    {
      operation: "files.upload",
      method: "PUT",
      url: target.new_presigned_url,
      headers: { "content-type": facts.mimetype, ...(isAzure && { "x-ms-blob-type": "BlockBlob" }) },
      body: bytes,
    },
    options,
  );
  return { name: facts.filename, mimetype: facts.mimetype, s3key: target.key };
}

/** Downloads a file. See `Files.download`. */
export async function download(
  core: Core,
  { s3url, mimetype }: Partial<shapes.DownloadableFile>,
  options?: RequestOptions,
): Promise<DownloadedFile> {
  if (s3url === undefined) {
    throw new ValidationError("files.download", "no URL. Pass the file object of a tool's result, or its s3url.");
  }
  const request = { operation: "files.download", method: "GET", url: s3url, headers: {}, body: undefined } as const;
  const { bytes, headers } = await transferBytes(core, request, options);
  return { bytes, mimetype: mimetype ?? headers.get("content-type") ?? undefined };
}

async function readBlob(content: Blob): Promise<ArrayBuffer> {
  try {
    const buffer = await content.arrayBuffer();
    // Anything else would be stored as a file without bytes.
    if (isArrayBuffer(buffer)) return buffer;
    throw new TypeError("arrayBuffer() returned something else");
  } catch (error) {
    const reason = error instanceof Error ? error.message : "unknown reason";
    throw new ValidationError("files.upload", `the content couldn't be read: ${reason}`);
  }
}
