import { endpoint, typed } from "../../core/endpoint.js";
import type { FilePage, FileUploadTarget, ListFilesQuery, RequestUploadBody } from "./schema.js";

export const listFiles = endpoint({
  name: "files.list",
  method: "GET",
  path: "/api/{apiVersion}/files/list",
  auth: ["apiKey"],
  retry: "safe",
  deprecated: ["operation"],
  query: typed<ListFilesQuery>(),
  response: typed<FilePage>(),
});

export const requestFileUpload = endpoint({
  name: "files.requestUpload",
  requiredFields: ["key", "new_presigned_url", "metadata"],
  method: "POST",
  path: "/api/{apiVersion}/files/upload/request",
  auth: ["apiKey"],
  retry: "effect",
  body: typed<RequestUploadBody>(),
  response: typed<FileUploadTarget>(),
});
