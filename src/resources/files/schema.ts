import * as z from "zod/mini";
import { deprecated, object, openEnum, request, string } from "../schema-kit.js";
import { pageQuery, pageTotals } from "../shared.js";

const fileFacts = {
  /** The toolkit it is for. */
  toolkit_slug: string,
  /** The tool it is for. */
  tool_slug: string,
  /** With its extension. */
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

/** Where to upload a file, and its name after that. */
export const FileUploadTarget = object({
  /** Starts with `req_file_`. */
  id: string,
  /** The stored file: `s3key` of the tool's argument. */
  key: string,
  /**
   * Signed: PUT the bytes there, without a key. Anyone who has it can write. Valid for an hour unless the project says
   * otherwise.
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
 * An uploaded file as a tool accepts it: the value of an argument whose schema has `file_uploadable`. An empty string
 * instead means no file. The bytes are deleted after 24 hours.
 */
export const FileArgument = request({
  /** Name of the file. */
  name: string,
  /** Media type. */
  mimetype: string,
  /** `key` of the upload. */
  s3key: string,
});
export interface FileArgument extends z.infer<typeof FileArgument> {}

/** A file as a tool returns it: the value of a result field whose schema has `file_downloadable`. */
export const DownloadableFile = object({
  /**
   * Signed: GET the bytes there, without a key. Anyone who has it can read. Valid for an hour unless the project says
   * otherwise.
   */
  s3url: string,
  /** Media type. */
  mimetype: z.optional(string),
  /** Name of the file. */
  name: z.optional(string),
});
export interface DownloadableFile extends z.infer<typeof DownloadableFile> {}
