// Runs inside each runtime, against the packed tarball. Only names of the package and the web platform may be used
// here.
import { ContractMismatchError, NotFoundError, Svc, SvcError, type SvcOptions, ValidationError } from "svc-sdk";
import { checkContract } from "svc-sdk/contract";
import type { Emulator, InjectedFault } from "svc-sdk/emulator";
import { signedDelivery } from "svc-sdk/testing";
import { createReceiver, normalizeTrigger, verifyWebhook, WebhookVerificationError } from "svc-sdk/webhooks";
import { agentLoop } from "./agent-loop.js";
import type { expected } from "./expected.js";

/** The emulator, as a runtime reaches it. */
export interface Service {
  readonly connection: SvcOptions;
  /** Spoils the next request of an operation. */
  readonly spoil: (operation: Parameters<Emulator["faults"]["next"]>[0], fault: InjectedFault) => void | Promise<void>;
}

/** Gives what it saw, as JSON. */
type Scenario = (service: Service) => Promise<unknown>;

const TOOL = "GITHUB_CREATE_AN_ISSUE";
const secret = "a secret of the subscription";
const event = { overrides: { data: { message: "grüß dich ✓" } } };

const scenarios: Record<keyof typeof expected, Scenario> = {
  "a call is sent again after a 503, and succeeds": async ({ connection, spoil }) => {
    await spoil("tools.get", { status: 503 });
    const { data, meta } = await new Svc(connection).tools.get(TOOL).withResponse();
    return { slug: data.slug, attempts: meta.attempts };
  },

  "a walk gives every item of every page once, in order": async ({ connection }) => {
    let pages = 0;
    const send = sendOf(connection);
    const svc = new Svc({
      ...connection,
      fetch: (request) => {
        pages += 1;
        return send(request);
      },
    });
    const walked: string[] = [];
    for await (const tool of svc.tools.list({ limit: 3 })) walked.push(tool.slug);
    const several = pages > 1 && pages === Math.ceil(walked.length / 3);
    const { items } = await svc.tools.list({ limit: 1000 });
    const all = walked.join() === items.map(({ slug }) => slug).join();
    return { pages: several ? "several" : pages, items: all ? "all" : walked };
  },

  "an answer with an error becomes a typed error": async ({ connection }) => {
    const error = await rejection(new Svc(connection).tools.get("NO_SUCH_TOOL"));
    const isNotFoundError = error instanceof NotFoundError;
    return {
      isNotFoundError,
      isSvcError: error instanceof SvcError,
      ...(isNotFoundError && { status: error.status, condition: error.condition }),
    };
  },

  "an abort ends a call on its way with the caller's own reason": async ({ connection, spoil }) => {
    // A separate operation: if the abort overtakes the request, the fault remains and affects no other scenario.
    await spoil("tools.listSlugs", { connection: "hang" });
    const reason = { why: "the user left" };
    const controller = new AbortController();
    const send = sendOf(connection);
    const svc = new Svc({
      ...connection,
      fetch: (request) => {
        setTimeout(() => controller.abort(reason), 20);
        return send(request);
      },
    });
    return { isOwnReason: (await rejection(svc.tools.listSlugs({ signal: controller.signal }))) === reason };
  },

  "a file goes up to the storage": async ({ connection }) => {
    const svc = new Svc(connection);
    const file = { toolkit_slug: "drive", tool_slug: "DRIVE_UPLOAD_FILE", filename: "a.txt", mimetype: "text/plain" };
    const { name, s3key } = await svc.files.upload(new TextEncoder().encode("ten bytes."), file);
    return { name, isStored: s3key !== "" };
  },

  "the contract lets pass what fits": async ({ connection }) => {
    const svc = new Svc({ ...connection, use: [checkContract({ onMismatch: "throw" })] });
    return { slug: (await svc.tools.get(TOOL)).slug };
  },

  "the contract refuses a request that does not fit, and names the place": async ({ connection }) => {
    const error = await rejection(new Svc({ ...connection, use: [checkContract()] }).tools.list({ limit: 1001 }));
    const isValidationError = error instanceof ValidationError;
    return { isValidationError, ...(isValidationError && { paths: error.mismatches.map(({ path }) => path) }) };
  },

  "the contract notices an answer that does not fit, and names the place": async ({ connection, spoil }) => {
    await spoil("tools.get", { status: 200, body: { slug: 7 } });
    const svc = new Svc({ ...connection, use: [checkContract({ onMismatch: "throw" })] });
    const error = await rejection(svc.tools.get(TOOL));
    const isContractMismatchError = error instanceof ContractMismatchError;
    return { isContractMismatchError, ...(isContractMismatchError && { place: error.mismatches[0]?.path }) };
  },

  "an agent's call waits for an approval, and runs once in two isolates": ({ connection }) =>
    agentLoop(connection, sendOf(connection)),

  "a signed webhook is verified and parsed": async () => {
    const { request } = signedDelivery({ secret, ...event });
    const delivery = await verifyWebhook(request, { secret });
    const isTrigger = delivery.kind === "known" && delivery.type === "svc.trigger.message";
    return { type: delivery.type, payload: isTrigger ? normalizeTrigger(delivery).payload : undefined };
  },

  "a webhook whose body was changed is refused": async () => {
    const { body, headers } = signedDelivery({ secret, ...event });
    const error = await rejection(verifyWebhook({ body: `${body} `, headers }, { secret }));
    const isWebhookVerificationError = error instanceof WebhookVerificationError;
    return { isWebhookVerificationError, ...(isWebhookVerificationError && { reason: error.reason }) };
  },

  "a receiver runs what verifies once, and refuses the rest": async () => {
    let handled = 0;
    const receive = createReceiver({ secret, on: {}, onUnhandled: () => (handled += 1) });
    const genuine = signedDelivery({ secret, ...event });
    const forged = signedDelivery({ secret: "another secret", ...event });
    const statuses: number[] = [];
    for (const delivery of [genuine, genuine, forged]) statuses.push((await receive(delivery.request)).status);
    return { statuses, handled };
  },
};

/** Each scenario's result or error, by title. */
export async function observe(service: Service): Promise<Record<string, unknown>> {
  const seen: Record<string, unknown> = {};
  for (const [title, scenario] of Object.entries(scenarios)) {
    try {
      seen[title] = await scenario(service);
    } catch (error) {
      seen[title] = error instanceof Error ? `${error.name}: ${error.message}\n${error.stack}` : String(error);
    }
  }
  return seen;
}

/** The `fetch` of a client with this connection. */
function sendOf(connection: SvcOptions): (request: Request) => Promise<Response> {
  return connection.fetch ?? ((request) => fetch(request));
}

async function rejection(promise: PromiseLike<unknown>): Promise<unknown> {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  return new Error("it did not reject");
}
