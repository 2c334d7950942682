import * as z from "zod/mini";
import { nullish, number, object, request, string } from "../schema-kit.js";
import { pageQuery } from "../shared.js";

const place = {
  /** Path of the file inside the mount. */
  mount_relative_path: string,
  /** Path of the mount in the sandbox, such as `/mnt/files`. */
  sandbox_mount_prefix: string,
};

/** A file in a session's mount. */
export const MountItem = object({
  ...place,
  /** Bytes. */
  size: number,
  /** ISO 8601. */
  last_modified: string,
});
export interface MountItem extends z.infer<typeof MountItem> {}

/** A page of a mount's files. This list has no totals. */
export const MountItemPage = object({
  items: z.array(MountItem),
  /** Opaque cursor of the next page; absent on the last one. */
  next_cursor: nullish(string),
});
export interface MountItemPage extends z.infer<typeof MountItemPage> {}

/** Filters of a mount's files. */
export const ListMountItemsQuery = request({
  ...pageQuery,
  /** Items per page, from 1 to 500; the default is 100. */
  limit: z.optional(number.check(z.int(), z.minimum(1), z.maximum(500))),
  /** Only files whose path starts with this. At least 1 character. */
  mount_relative_prefix: z.optional(string.check(z.minLength(1))),
});
export interface ListMountItemsQuery extends z.infer<typeof ListMountItemsQuery> {}

/** Identifies a file of a mount. */
export const MountPathBody = request({
  /** Path of the file inside the mount. */
  mount_relative_path: string,
});
export interface MountPathBody extends z.infer<typeof MountPathBody> {}

/** Body for requesting an upload URL. */
export const MountUploadBody = request({
  /** Path for the file inside the mount. */
  mount_relative_path: string,
  /** Media type of the file. */
  mimetype: z.optional(string),
});
export interface MountUploadBody extends z.infer<typeof MountUploadBody> {}

/** Where to upload a file. */
export const MountUpload = object({
  /** Signed: PUT the bytes there, without a key. Anyone who has it can write. */
  upload_url: string,
  ...place,
  /** When the URL expires, ISO 8601. */
  expires_at: string,
});
export interface MountUpload extends z.infer<typeof MountUpload> {}

/** Where to download a file. */
export const MountDownload = object({
  /** Signed: GET the bytes there, without a key. Anyone who has it can read. */
  download_url: string,
  ...place,
  /** When the URL expires, ISO 8601. */
  expires_at: string,
});
export interface MountDownload extends z.infer<typeof MountDownload> {}

/** Response to deleting a file. */
export const DeletedMountItem = object({
  /** Absent only if a retry found that the file was already deleted. */
  mount_relative_path: z.optional(string),
  /** Absent only if a retry found that the file was already deleted. */
  sandbox_mount_prefix: z.optional(string),
});
export interface DeletedMountItem extends z.infer<typeof DeletedMountItem> {}
