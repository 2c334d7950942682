import type { AnyInput, Svc } from "../../index.js";

/** A method of the client whose name isn't the name of an operation. */
export interface Method {
  /** The operation whose path parameters and fields it takes. */
  readonly operation: string;
  /** The path parameters and the body that the method itself sets. */
  readonly sets?: { readonly params?: Readonly<Record<string, string>>; readonly body?: object };
  /** Calls a method that sends more than the operation's request. */
  readonly send?: (svc: Svc, input: AnyInput) => Promise<unknown>;
}

/** A body that was checked against the contract. The compiler can't know that. */
const checked = (body: unknown) => body as never;

export const METHODS: Readonly<Record<string, Method>> = {
  "authConfigs.ensure": {
    operation: "authConfigs.create",
    send: (svc, { body }) => svc.authConfigs.ensure(checked(body)),
  },
  "authConfigs.enable": { operation: "authConfigs.setStatus", sets: { params: { status: "ENABLED" } } },
  "authConfigs.disable": { operation: "authConfigs.setStatus", sets: { params: { status: "DISABLED" } } },
  "connectedAccounts.enable": { operation: "connectedAccounts.setStatus", sets: { body: { enabled: true } } },
  "connectedAccounts.disable": { operation: "connectedAccounts.setStatus", sets: { body: { enabled: false } } },
  "connectedAccounts.waitUntilActive": {
    operation: "connectedAccounts.get",
    send: (svc, { params }) => svc.connectedAccounts.waitUntilActive(params?.["nanoid"] ?? ""),
  },
  "triggers.enable": { operation: "triggers.setStatus", sets: { body: { status: "enable" } } },
  "triggers.disable": { operation: "triggers.setStatus", sets: { body: { status: "disable" } } },
  "webhookSubscriptions.ensure": {
    operation: "webhookSubscriptions.create",
    send: (svc, { body }) => svc.webhookSubscriptions.ensure(checked(body)),
  },
};

const SETTLE = "takes the error of a program's call. Search the execution with logs.listToolExecutions.";

/** The methods that a shell can't call, with the reason and what to do instead. */
export const NOT_CALLABLE: Readonly<Record<string, string>> = {
  "files.upload":
    "takes the bytes of a file. Call files.requestUpload, and send the file to its new_presigned_url: curl -T <file> -H 'content-type: <mimetype>' <url>.",
  "files.download": "returns the bytes of a file. Read the file's s3url, which needs no key: curl -o <file> <s3url>.",
  "toolRouter.mounts":
    "returns an object for the next calls. Pass the session's id to toolRouter.mountItems, mountUploadUrl, mountDownloadUrl or mountDelete.",
  "toolRouter.settle": SETTLE,
  "toolRouter.use":
    "returns an object for the next calls. Pass the session's id to an operation, such as toolRouter.execute.",
  "tools.settle": SETTLE,
};
