import type { HandlersOf } from "../context.js";
import { signAddress } from "../files/addresses.js";
import { readFile } from "../files/shelf.js";
import { paginate } from "../page.js";
import { projectOf } from "../projects/lookup.js";
import { invalidRequest, notFound } from "../refusal.js";
import { findTool } from "../tool-lookup.js";

export const files: HandlersOf<"files"> = {
  "files.list": ({ query, key, state, clock }) => {
    const project = projectOf(key, state);
    const uploaded = [...state.files.values()]
      .filter((file) => file.projectId === project.id && readFile(file.key, state, clock) !== undefined)
      .filter(
        ({ toolkit, tool }) =>
          (query.toolkit_slug === undefined || query.toolkit_slug === toolkit) &&
          (query.tool_slug === undefined || query.tool_slug === tool),
      )
      .flatMap(({ toolkit, tool, filename, mimetype, md5 }) =>
        md5 === undefined ? [] : [{ toolkit_slug: toolkit, tool_slug: tool, filename, mimetype, md5 }],
      );
    return paginate(uploaded.reverse(), query);
  },

  "files.requestUpload": ({ body, key, origin, ...world }) => {
    const { state, catalogue, ids } = world;
    const { toolkit_slug: toolkit, tool_slug: tool, filename, mimetype } = body;
    if (!catalogue.toolkits.has(toolkit)) throw notFound("Toolkit", `Toolkit ${toolkit}`, 2301);
    if (findTool(catalogue, tool, "latest").toolkit.slug !== toolkit) {
      throw invalidRequest([`body.tool_slug: expected a tool of ${toolkit}`]);
    }
    const project = projectOf(key, state);
    const md5 = body.md5.toLowerCase();
    // Equal bytes for the same tool are one file.
    const fileKey = `${project.id}/${toolkit}/${tool}/request/${md5}`;
    const known = state.files.get(fileKey);
    state.files.set(fileKey, { ...known, key: fileKey, projectId: project.id, toolkit, tool, filename, mimetype, md5 });
    const allowed = { place: { kind: "file" as const, key: fileKey }, method: "PUT" as const, mimetype };
    const { url } = signAddress(allowed, project, origin, world);
    return {
      id: ids.next("req_file_"),
      key: fileKey,
      new_presigned_url: url,
      newPresignedUrl: url,
      type: "new",
      metadata: { storage_backend: "s3" },
    };
  },
};
