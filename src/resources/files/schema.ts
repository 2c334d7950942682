import * as z from "zod/mini";
import { deprecated, object, openEnum, request, string } from "../schema-kit.js";
import { pageQuery, pageTotals } from "../shared.js";

const fileFacts = {
  /** Slug of the tool's toolkit. */
  toolkit_slug: string,
  /** Slug of the tool that takes the file. */
  tool_slug: string,
  /** Name of the file, with its extension. */
  filename: string,
  /** Media type. */
  mimetype: string,
};

/** A file that was uploaded for a tool. */
export const FileRecord = object({
  ...fileFacts,
  /** MD5 of the bytes, hexadecimal. Equal bytes are stored once. */
  md5: string,
});
export interface FileRecord extends z.infer<typeof FileRecord> {}

/** A page of files. */
export const FilePage = object({ items: z.array(FileRecord), ...pageTotals });
export interface FilePage extends z.infer<typeof FilePage> {}

/** Filters of the file list. */
export const ListFilesQuery = request({
  /** Files for this toolkit. */
  toolkit_slug: z.optional(string),
  /** Files for this tool. */
  tool_slug: z.optional(string),
  ...pageQuery,
});
export interface ListFilesQuery extends z.infer<typeof ListFilesQuery> {}

/** Body for requesting an upload URL. */
export const RequestUploadBody = request({
  ...fileFacts,
  /** MD5 of the bytes, 32 hexadecimal digits. */
  md5: string.check(z.regex(/^[0-9a-fA-F]{32}$/)),
});
export interface RequestUploadBody extends z.infer<typeof RequestUploadBody> {}

/** Where to upload a file, and the key that identifies it afterwards. */
export const FileUploadTarget = object({
  /** Starts with `req_file_`. */
  id: string,
  /** Key of the stored file. Pass it as `s3key` in the tool's argument. */
  key: string,
  /**
   * Signed URL: PUT the bytes to it, without an API key. Anyone who has it can write. Valid for an hour, unless the
   * project's settings say otherwise.
   */
  new_presigned_url: string,
  /** @deprecated Use `new_presigned_url`. */
  newPresignedUrl: deprecated(string),
  /** @deprecated Always `new`. */
  type: deprecated(openEnum(["new"])),
  /** Where the bytes go. */
  metadata: object({
    /** Azure requires the header `x-ms-blob-type: BlockBlob` with the upload. */
    storage_backend: openEnum(["s3", "azure_blob_storage"]),
  }),
});
export interface FileUploadTarget extends z.infer<typeof FileUploadTarget> {}

/**
 * An uploaded file as a tool accepts it: the value of an argument whose schema has `file_uploadable`. Pass an empty
 * string instead for no file. The service deletes the bytes after 24 hours.
 */
export const FileArgument = request({
  /** Name of the file. */
  name: string,
  /** Media type. */
  mimetype: string,
  /** The `key` of the upload target. */
  s3key: string,
});
export interface FileArgument extends z.infer<typeof FileArgument> {}

/** A file as a tool returns it: the value of a result field whose schema has `file_downloadable`. */
export const DownloadableFile = object({
  /**
   * Signed URL: GET the bytes from it, without an API key. Anyone who has it can read. Valid for an hour, unless the
   * project's settings say otherwise.
   */
  s3url: string,
  /** Media type. */
  mimetype: z.optional(string),
  /** Name of the file. */
  name: z.optional(string),
});
export interface DownloadableFile extends z.infer<typeof DownloadableFile> {}
