import { expect, test } from "vitest";
import { BadRequestError, ConflictError } from "../../../src/index.js";
import { emulated, rejectionOf } from "../../support/client.js";

const messages = { webhook_url: "https://app.example/events", enabled_events: ["svc.trigger.message"] };

/** Operations that a call sent. */
function operationsOf({ requests }: ReturnType<typeof emulated>["emulator"]) {
  return requests.map(({ operation, status }) => `${operation?.replace("webhookSubscriptions.", "")} ${status}`);
}

test("a project without a subscription gets one", async () => {
  const { emulator, svc } = emulated();
  const made = await svc.webhookSubscriptions.ensure({ ...messages, version: "V2" });
  expect(made).toMatchObject({ ...messages, version: "V2", secret: expect.stringMatching(/^whsec_/) });
  expect(operationsOf(emulator)).toEqual(["list 200", "create 201"]);
  expect(emulator.requests[0]?.path).toMatch(/\?limit=1$/);
});

test("an existing subscription is updated; id, secret and omitted fields stay unchanged", async () => {
  const { emulator, svc } = emulated();
  const before = await svc.webhookSubscriptions.create({ ...messages, version: "V2" });
  const after = await svc.webhookSubscriptions.ensure({ ...messages, webhook_url: "https://app.example/elsewhere" });
  expect(after).toMatchObject({ id: before.id, secret: before.secret, version: "V2" });
  expect(after.webhook_url).toBe("https://app.example/elsewhere");
  expect(operationsOf(emulator).slice(1)).toEqual(["list 200", "update 200"]);
});

test("what the caller changes while the list is read has no effect", async () => {
  const { svc } = emulated();
  const body = { ...messages };
  const ensured = svc.webhookSubscriptions.ensure(body);
  body.webhook_url = "https://app.example/of-another-project";
  expect((await ensured).webhook_url).toBe(messages.webhook_url);
});

test("ten calls return the same subscription", async () => {
  const { svc } = emulated();
  const made: string[] = [];
  for (let round = 0; round < 10; round += 1) made.push((await svc.webhookSubscriptions.ensure(messages)).id);
  expect(new Set(made).size).toBe(1);
  expect((await svc.webhookSubscriptions.list()).total_items).toBe(1);
});

test("two simultaneous deploys both succeed and create one subscription", async () => {
  const { emulator } = emulated();
  // Both lists return before either client creates.
  let lists = 0;
  let open: () => void = () => undefined;
  const bothListed = new Promise<void>((resolve) => {
    open = resolve;
  });
  const fetch = async (request: Request) => {
    const response = await emulator.fetch(request);
    if (request.method !== "GET" || lists >= 2) return response;
    lists += 1;
    if (lists === 2) open();
    await bothListed;
    return response;
  };
  const deploy = () => emulated({ ...emulator.connection, fetch }).svc.webhookSubscriptions.ensure(messages);
  const [one, other] = await Promise.all([deploy(), deploy()]);
  expect(one.id).toBe(other.id);
  expect(operationsOf(emulator).toSorted()).toEqual(
    ["list 200", "list 200", "create 201", "create 409", "list 200", "update 200"].toSorted(),
  );
});

test("a 409 without a subscription rejects unchanged", async () => {
  const { emulator, svc } = emulated();
  emulator.faults.next("webhookSubscriptions.create", { status: 409 });
  await rejectionOf(ConflictError, svc.webhookSubscriptions.ensure(messages));
  expect(operationsOf(emulator)).toEqual(["list 200", "create 409", "list 200"]);
});

test("rejects what the service rejects", async () => {
  const { svc } = emulated();
  const expiredInV1 = { ...messages, enabled_events: ["svc.connected_account.expired"], version: "V1" as const };
  await rejectionOf(BadRequestError, svc.webhookSubscriptions.ensure(expiredInV1));
  await svc.webhookSubscriptions.create(messages);
  await rejectionOf(BadRequestError, svc.webhookSubscriptions.ensure(expiredInV1));
});

test("another failure of the creation rejects unchanged, without another list", async () => {
  const { emulator, svc } = emulated();
  emulator.faults.next("webhookSubscriptions.create", { status: 400 });
  await rejectionOf(BadRequestError, svc.webhookSubscriptions.ensure(messages));
  expect(operationsOf(emulator)).toEqual(["list 200", "create 400"]);
});

test.each([null, 5_000])(
  "options that aren't an object (%s) are rejected, whatever the client's deadline",
  async (options) => {
    const { emulator, svc } = emulated({ deadlineMs: 10_000 });
    // @ts-expect-error: such options pass only unchecked.
    const ensured = svc.webhookSubscriptions.ensure(messages, options);
    await expect(ensured).rejects.toThrow(
      "webhookSubscriptions.ensure: the options must be an object, such as { signal }.",
    );
    expect(operationsOf(emulator)).toEqual([]);
  },
);
