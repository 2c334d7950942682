import { expect, test } from "vitest";
import { Core } from "../src/core/client.js";
import type { SvcOptions } from "../src/core/options/options.js";
import { resolveSettings } from "../src/core/options/settings.js";
import { ConflictError } from "../src/errors/api-error.js";
import { WebhookSubscriptions } from "../src/resources/webhook-subscriptions/webhook-subscriptions.js";

const body = { webhook_url: "https://app.example/hook", enabled_events: ["svc.trigger.message"] };
const subscription = { id: "ws_1", version: "V3", secret: "s", created_at: "", updated_at: "", ...body };
const page = (...items: object[]) =>
  Response.json({ items, total_pages: 1, current_page: 1, total_items: items.length, next_cursor: null });
const taken = () => Response.json({ error: { message: "one exists", status: 409 } }, { status: 409 });

const subscriptionsOver = (...replies: Response[]) => subscriptionsWith({}, ...replies);

function subscriptionsWith(options: SvcOptions, ...replies: Response[]) {
  const sent: string[] = [];
  const bodies: unknown[] = [];
  const fetch = async (request: Request) => {
    const { pathname, search } = new URL(request.url);
    sent.push(`${request.method} ${pathname.replace("/api/v3.1/webhook_subscriptions", "")}${search}`);
    if (request.method !== "GET") bodies.push(await request.json());
    return replies.shift() ?? expect.unreachable("one request too many");
  };
  const settings = resolveSettings({
    baseUrl: "https://svc.example",
    apiKey: "ak_1",
    fetch,
    environment: {},
    ...options,
  });
  return { subscriptions: new WebhookSubscriptions(new Core(settings)), sent, bodies };
}

test("a project without a subscription gets one, in two requests", async () => {
  const { subscriptions, sent, bodies } = subscriptionsOver(page(), Response.json(subscription, { status: 201 }));
  expect(await subscriptions.ensure(body)).toEqual(subscription);
  expect(sent).toEqual(["GET ?limit=1", "POST "]);
  expect(bodies).toEqual([body]);
});

test("a project with a subscription has it updated, in two requests", async () => {
  const { subscriptions, sent, bodies } = subscriptionsOver(page(subscription), Response.json(subscription));
  expect((await subscriptions.ensure({ ...body, version: "V3" })).id).toBe("ws_1");
  expect(sent).toEqual(["GET ?limit=1", "PATCH /ws_1"]);
  expect(bodies).toEqual([{ ...body, version: "V3" }]);
});

test("a subscription that appears between list and creation is updated", async () => {
  const replies = [page(), taken(), page(subscription), Response.json(subscription)];
  const { subscriptions, sent } = subscriptionsOver(...replies);
  expect((await subscriptions.ensure(body)).id).toBe("ws_1");
  expect(sent).toEqual(["GET ?limit=1", "POST ", "GET ?limit=1", "PATCH /ws_1"]);
});

test("a 409 while none is listed rejects unchanged", async () => {
  const { subscriptions } = subscriptionsOver(page(), taken(), page());
  await expect(subscriptions.ensure(body)).rejects.toBeInstanceOf(ConflictError);
});

test("another failure of the creation rejects unchanged, without another list", async () => {
  const { subscriptions, sent } = subscriptionsOver(page(), Response.json({ error: {} }, { status: 400 }));
  await expect(subscriptions.ensure(body)).rejects.toMatchObject({ status: 400 });
  expect(sent).toHaveLength(2);
});

test.each([null, 5_000])(
  "options that aren't an object (%s) are rejected, whatever the client's deadline",
  async (options) => {
    const { subscriptions, sent } = subscriptionsWith({ deadlineMs: 10_000 });
    // @ts-expect-error: such options pass only unchecked.
    const ensured = subscriptions.ensure(body, options);
    await expect(ensured).rejects.toThrow("webhookSubscriptions.ensure: the options of a call must be an object.");
    expect(sent).toEqual([]);
  },
);
