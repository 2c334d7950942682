import { isObject, isString, type Json, mapMembers } from "../shared/json.js";
import type { Execution } from "./tool.js";

/** A file that a model named as an argument. */
export interface FileRequest extends Execution {
  /** A path or URL, as the model wrote it. Don't trust it: models repeat text from strangers. */
  readonly source: string;
}

/** The file to upload for a {@link FileRequest}. */
export interface FileContent {
  /** All of the file. */
  readonly content: Blob | Uint8Array;
  /** The name it is uploaded under. */
  readonly filename: string;
  /** Media type. */
  readonly mimetype: string;
}

/** Opens the file at a path or URL. */
export type OpenFile = (source: string) => Promise<FileContent>;

/** Opens each file once: the bytes that were approved are those that are uploaded. */
export function openedOnce(open: OpenFile): OpenFile {
  const opened = new Map<string, Promise<FileContent>>();
  return (source) => {
    const known = opened.get(source) ?? open(source);
    opened.set(source, known);
    return known;
  };
}

/** A copy of a schema in which each file is a string. */
export function withFilesAsStrings(schema: unknown): unknown {
  if (!isObject(schema) || schema["file_uploadable"] !== true) {
    return mapMembers(schema, (member) => withFilesAsStrings(member));
  }
  const { title, description } = schema;
  const isNullable = schema["nullable"] === true || [schema["type"]].flat().includes("null");
  const asked = "A file: its path or https URL.";
  return {
    type: isNullable ? ["string", "null"] : "string",
    ...(isString(title) && { title }),
    description: isString(description) ? `${description} ${asked}` : asked,
  };
}

/** Whether arguments contain the key of a staged file. The key may belong to another user's upload. */
export function hasStagedKey(args: Json): boolean {
  // Quotes inside of strings are escaped, so this is the name of a member.
  return /[{,]"s3key":(?!"")/.test(JSON.stringify(args));
}
