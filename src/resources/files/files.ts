import { coreOf, Resource } from "../../client/client.js";
import { isHeaderValue } from "../../client/options/checks.js";
import type { PagePromise } from "../../client/pages.js";
import type { ApiPromise } from "../../client/promises.js";
import type { RequestOptions } from "../../client/request-options.js";
import { calledAs } from "../../errors/base.js";
import { ValidationError } from "../../errors/local.js";
import { files } from "./endpoints.js";
import { md5 } from "./md5.js";
import type * as shapes from "./schema.js";
import { transfer } from "./transfer.js";

/** Facts about the file of an upload. */
export interface FileUpload extends Omit<shapes.RequestUploadBody, "md5"> {}

/** A downloaded file. */
export interface DownloadedFile {
  // `Uint8Array<ArrayBuffer>`, even for compilers whose `Uint8Array` isn't generic. Where it is, a plain one may be in
  // shared memory, which no web API takes.
  /** The whole file, as `Blob`, `Response` and Web Crypto take it. */
  readonly bytes: ReturnType<typeof Uint8Array.of>;
  /** Media type from the tool, otherwise from the storage; `undefined` if neither reports one. */
  readonly mimetype: string | undefined;
}

/** Files that tools accept and return. */
export class Files extends Resource {
  /**
   * Lists uploaded files. Await for one page, or iterate for all.
   *
   * @deprecated Keep the `s3key` that `upload` returns.
   */
  list(query?: shapes.ListFilesQuery, options?: RequestOptions): PagePromise<shapes.FilePage> {
    return coreOf(this).list(files.list, { query }, options);
  }

  /**
   * Requests a signed URL to PUT a file's bytes to. Sends no bytes: `upload` does both.
   *
   * @throws {NotFoundError} 404: no such toolkit or tool.
   */
  requestUpload(body: shapes.RequestUploadBody, options?: RequestOptions): ApiPromise<shapes.FileUploadTarget> {
    return coreOf(this).call(files.requestUpload, { body }, options);
  }

  /**
   * Uploads a file for a tool, and returns the value to pass as the tool's argument.
   *
   * ```ts
   * const file = await svc.files.upload(new Blob(["Dear Ada, …"]), {
   *   toolkit_slug: "drive",
   *   tool_slug: "DRIVE_UPLOAD_FILE",
   *   filename: "letter.txt",
   *   mimetype: "text/plain",
   * });
   * const stored = await svc.tools.execute("DRIVE_UPLOAD_FILE", { user_id: "ada", version, arguments: { file } });
   * ```
   *
   * Sends two requests: one to the service, and one with the bytes, without a key, to the storage. `deadlineMs` limits
   * both together, `timeoutMs` each attempt; `headers` are sent to the service only. The whole file is kept in memory.
   * The service deletes it after 24 hours.
   *
   * @throws {NotFoundError} 404: no such toolkit or tool.
   * @throws {ResponseError} the storage rejected the bytes; `status` is its status.
   * @throws {ConnectionError} the service or the storage couldn't be reached.
   */
  async upload(
    content: Blob | Uint8Array,
    file: FileUpload,
    options: RequestOptions = {},
  ): Promise<shapes.FileArgument> {
    // Copied, because the caller may use its object for the next file while this one is read and sent.
    const facts = { ...file };
    if (!isBytes(content) && typeof content?.arrayBuffer !== "function") {
      throw new ValidationError("files.upload", "the content must be a Blob or a Uint8Array.");
    }
    if (!isHeaderValue(facts.mimetype)) {
      throw new ValidationError(
        "files.upload",
        "the file must have a mimetype: a string without line breaks or control characters.",
      );
    }
    const core = coreOf(this);
    const shared = core.sharedDeadline("files.upload", options);
    // The request reports one that isn't valid.
    options?.signal?.throwIfAborted?.();
    // Copied, so the bytes match their checksum even if the caller changes them.
    const bytes = new Uint8Array(isBytes(content) ? content : await readBlob(content));
    const requested = core.call(files.requestUpload, { body: { ...facts, md5: md5(bytes) } }, shared);
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
        headers: { "content-type": facts.mimetype, ...(isAzure && { "x-ms-blob-type": "BlockBlob" }) },
        body: bytes,
      },
      shared,
    );
    return { name: facts.filename, mimetype: facts.mimetype, s3key: target.key };
  }

  /**
   * Downloads a file that a tool returned. Pass the file object of its result or the signed URL in it. Sends no key and
   * follows no redirect.
   *
   * The URL is used as it is, so pass only what came from a tool's file field. Reads at most the client's
   * `maxBodyBytes`.
   *
   * @throws {ValidationError} before anything is sent: not an https URL.
   * @throws {ResponseError} the storage rejected the request, mostly with 403 because the URL has expired; or the file
   * is larger than `maxBodyBytes`.
   * @throws {ConnectionError} the storage couldn't be reached.
   */
  async download(file: shapes.DownloadableFile | string, options?: RequestOptions): Promise<DownloadedFile> {
    const { s3url, mimetype }: Partial<shapes.DownloadableFile> =
      typeof file === "string" ? { s3url: file } : (file ?? {});
    if (s3url === undefined) {
      throw new ValidationError("files.download", "no URL. Pass the file object of a tool's result, or its s3url.");
    }
    const request = { operation: "files.download", method: "GET", url: s3url, headers: {}, body: undefined } as const;
    const { bytes, headers } = await transfer(coreOf(this), request, options);
    return { bytes, mimetype: mimetype ?? headers.get("content-type") ?? undefined };
  }
}

/** Checked by name, because one from another realm (jsdom, vm) isn't an instance of this realm's class. */
function isBytes(content: unknown): content is Uint8Array {
  return Object.prototype.toString.call(content) === "[object Uint8Array]";
}

async function readBlob(content: Blob): Promise<ArrayBuffer> {
  try {
    const buffer = await content.arrayBuffer();
    // Anything else would be stored as a file without bytes.
    if (Object.prototype.toString.call(buffer) === "[object ArrayBuffer]") return buffer;
    throw new TypeError("arrayBuffer() returned something else");
  } catch (error) {
    const reason = error instanceof Error ? error.message : "unknown reason";
    throw new ValidationError("files.upload", `the content couldn't be read: ${reason}`);
  }
}
