import { mountKey, signUrl } from "../files/stored-files.js";
import type { HandlersOf } from "../host/context.js";
import { paginate } from "../host/lookup-and-page.js";
import type { StoredMountFile } from "../host/project-records.js";
import { ApiFailure, invalidRequest } from "../host/responses.js";
import { type SessionScope, scopeOf } from "./scope.js";

/** Id of the mount every session has. */
const MOUNT_ID = "files";

const sandbox_mount_prefix = `/mnt/${MOUNT_ID}`;

/** Default number of items per page. */
const DEFAULT_LIMIT = 100;

type Mounts = "mountItems" | "mountUploadUrl" | "mountDownloadUrl" | "mountDelete";

export const toolRouterMounts: Pick<HandlersOf<"toolRouter">, `toolRouter.${Mounts}`> = {
  "toolRouter.mountItems": (context) => {
    const { session, state } = scopeOf(context);
    checkMount(context.params.mount_id);
    const { mount_relative_prefix: prefix = "", limit, cursor } = context.query;
    const files = [...state.mountFiles.values()]
      .filter(({ sessionId, path }) => sessionId === session.id && path.startsWith(prefix))
      .sort((one, other) => (one.path < other.path ? -1 : 1));
    const { items, next_cursor } = paginate(files, { limit: limit ?? DEFAULT_LIMIT, cursor });
    return {
      items: items.map(({ path, size, lastModified }) => ({
        mount_relative_path: path,
        sandbox_mount_prefix,
        size,
        last_modified: lastModified,
      })),
      // Missing on the last page, unlike in other lists.
      ...(next_cursor !== null && { next_cursor }),
    };
  },

  "toolRouter.mountUploadUrl": (context) => {
    const scope = scopeOf(context);
    const path = checkedPath(context);
    const { mimetype } = context.body;
    const place = placeOf(path, scope);
    const allowed = { place, method: "PUT" as const, ...(mimetype !== undefined && { mimetype }) };
    const { url, expiresAt } = signUrl(allowed, scope.project, scope.origin, scope);
    return { upload_url: url, mount_relative_path: path, sandbox_mount_prefix, expires_at: expiresAt };
  },

  "toolRouter.mountDownloadUrl": (context) => {
    const scope = scopeOf(context);
    const { path } = findMountFile(checkedPath(context), scope);
    const allowed = { place: placeOf(path, scope), method: "GET" as const };
    const { url, expiresAt } = signUrl(allowed, scope.project, scope.origin, scope);
    return { download_url: url, mount_relative_path: path, sandbox_mount_prefix, expires_at: expiresAt };
  },

  "toolRouter.mountDelete": (context) => {
    const scope = scopeOf(context);
    const { path } = findMountFile(checkedPath(context), scope);
    scope.state.mountFiles.delete(mountKey(scope.session.id, MOUNT_ID, path));
    return { mount_relative_path: path, sandbox_mount_prefix };
  },
};

interface MountCall {
  readonly params: { readonly mount_id: string };
  readonly body: { readonly mount_relative_path: string };
}

/** Checks that a path stays inside its mount. See assumption E47. */
function checkedPath({ params, body }: MountCall): string {
  checkMount(params.mount_id);
  const path = body.mount_relative_path;
  const isInside = path.split("/").every((part) => part !== "" && part !== "." && part !== "..");
  if (isInside) return path;
  throw invalidRequest(["body.mount_relative_path: expected a path inside the mount, without . and .."]);
}

function checkMount(id: string): void {
  if (id !== MOUNT_ID) throw notFoundFile(`Mount ${id} not found`);
}

function findMountFile(path: string, { session, state }: SessionScope): StoredMountFile {
  const file = state.mountFiles.get(mountKey(session.id, MOUNT_ID, path));
  if (!file) throw notFoundFile(`File ${path} not found`);
  return file;
}

function placeOf(path: string, { session }: SessionScope) {
  return { kind: "mount" as const, sessionId: session.id, mountId: MOUNT_ID, path };
}

function notFoundFile(message: string): ApiFailure {
  return new ApiFailure({ status: 404, code: 4313, slug: "ToolRouterV2_FileNotFound", message });
}
