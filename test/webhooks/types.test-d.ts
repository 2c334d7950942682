import { signedDelivery } from "../../src/testing/index.js";
import {
  createReceiver,
  type Delivery,
  type HandlerContext,
  normalizeTrigger,
  type TriggerMessageV2,
  verifyWebhook,
} from "../../src/webhooks/index.js";

declare module "../../src/resources/typed-catalog.js" {
  /** Declared as in generated files. */
  interface TriggerCatalog {
    TYPED_TICKET_CREATED: { config: object; payload: { subject: string } };
  }
}

const secret = "s";
const onUnhandled = () => {};

// A payload type for a slug types that slug's handler.
createReceiver<{ HELPDESK_TICKET_CREATED: { subject: string } }>({
  secret,
  onUnhandled,
  on: {
    HELPDESK_TICKET_CREATED: (event, context) => {
      const subject: string = event.payload.subject;
      const signal: AbortSignal = context.signal;
      // @ts-expect-error the payload type has no such field
      return [subject, signal, event.payload.color];
    },
    "svc.connected_account.expired": ({ event }) => event.data.toolkit.slug,
  },
});

// Without one, any slug's payload is a JSON object.
createReceiver({
  secret,
  on: {
    ANY_SLUG: (event) => event.payload["subject"],
    "svc.trigger.disabled": ({ event }, { delivery }: HandlerContext) => [event.data.disabled_reason, delivery.id],
    "svc.trigger.message": (delivery) => (delivery.version === "V1" ? delivery.event.payload : delivery.event.data),
  },
  onUnhandled: (delivery) => (delivery.kind === "unknown" ? delivery.event["type"] : delivery.type),
});

createReceiver({
  secret,
  onUnhandled,
  // @ts-expect-error no such event type
  on: { "svc.connected_account.vanished": () => {} },
});

createReceiver({
  secret,
  onUnhandled,
  // @ts-expect-error a slug is in upper case
  on: { any_slug: () => {} },
});

createReceiver<{ any_slug: object }>({
  secret,
  onUnhandled,
  // @ts-expect-error a slug is in upper case, also with a payload type
  on: { any_slug: () => {} },
});

// A slug with generated types has a typed payload, in handlers and in normalizeTrigger with that slug.
createReceiver({
  secret,
  onUnhandled,
  on: { TYPED_TICKET_CREATED: ({ payload }): string => payload.subject },
});

export function ofOneTrigger(delivery: Delivery): unknown {
  const subject: string | undefined = normalizeTrigger(delivery, "TYPED_TICKET_CREATED")?.payload.subject;
  const any: unknown = normalizeTrigger(delivery, "ANY_SLUG")?.payload["field"];
  // @ts-expect-error a slug is in upper case
  const lower = normalizeTrigger(delivery, "typed_ticket_created");
  // @ts-expect-error the payload has no such field
  return [subject, any, lower, normalizeTrigger(delivery, "TYPED_TICKET_CREATED")?.payload.color];
}

const { event: ticket } = signedDelivery({ secret, trigger: "TYPED_TICKET_CREATED", payload: { subject: "Fire" } });
export const slug: string = ticket.metadata.trigger_slug;
const { event: old } = signedDelivery({ secret, trigger: "ANY_SLUG", payload: { any: 1 }, version: "V1" });
export const name: string = old.trigger_name;
// @ts-expect-error the generated payload has no such field
signedDelivery({ secret, trigger: "TYPED_TICKET_CREATED", payload: { subjekt: "Fire" } });
// @ts-expect-error a trigger's event needs a payload
signedDelivery({ secret, trigger: "ANY_SLUG" });
// @ts-expect-error a payload needs a trigger
signedDelivery({ secret, payload: {} });
// @ts-expect-error only messages have a trigger's payload
signedDelivery({ secret, trigger: "ANY_SLUG", payload: {}, type: "svc.trigger.disabled" });

// @ts-expect-error onUnhandled is required
createReceiver({ secret, on: {} });

export async function narrow(request: Request): Promise<unknown> {
  const delivery: Delivery = await verifyWebhook(request, { secret });
  if (delivery.kind === "unknown") return delivery.event["anything"];
  if (delivery.type === "svc.trigger.message" && delivery.version === "V2") {
    const event: TriggerMessageV2 = delivery.event;
    return [event.data.trigger_nano_id, event.data["subject"]];
  }
  if (delivery.type === "svc.connected_account.expired") {
    // @ts-expect-error lifecycle events have no trigger
    return delivery.event.metadata.trigger_slug;
  }
  // @ts-expect-error not narrowed to a trigger message yet
  return normalizeTrigger(delivery).payload;
}

// A trigger without generated types accepts any object, including one typed by an interface.
interface Push {
  readonly sha: number;
}
declare const push: Push;
signedDelivery({ secret, trigger: "SOME_PUSH_EVENT", payload: push });
// @ts-expect-error a payload is an object
signedDelivery({ secret, trigger: "SOME_PUSH_EVENT", payload: "text" });

// An API Gateway event is passed unchanged. These are the fields of @types/aws-lambda, in both of its formats.
declare const restEvent: {
  body: string | null;
  headers: { [name: string]: string | undefined };
  multiValueHeaders: { [name: string]: string[] | undefined };
  isBase64Encoded: boolean;
};
declare const httpEvent: { body?: string; headers: { [name: string]: string | undefined }; isBase64Encoded: boolean };
void verifyWebhook(restEvent, { secret });
void verifyWebhook(httpEvent, { secret });
// @ts-expect-error the headers are missing
void verifyWebhook({ body: "{}" }, { secret });
