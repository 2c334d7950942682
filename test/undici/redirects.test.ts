import { Agent, type Dispatcher, interceptors } from "undici";
import { describe, expect, onTestFinished, test } from "vitest";
import { Svc, SvcError } from "../../src/index.js";
import { undiciFetch } from "../../src/undici/index.js";
import { json, type WireServer, wireServer, writes } from "../faults/wire.js";
import { rejectionOf, send } from "../support/client.js";
import { fakeClock } from "../support/clock.js";

/** Starts a server that responds to everything with these bytes. */
async function responding(bytes: string | Buffer): Promise<WireServer> {
  const server = await wireServer(() => writes(bytes));
  onTestFinished(server.close);
  return server;
}

const redirectTo = (status: number, location: string) =>
  `HTTP/1.1 ${status} Elsewhere\r\nlocation: ${location}\r\ncontent-length: 0\r\n\r\n`;

function clientOver(dispatcher: Pick<Dispatcher, "dispatch">, baseUrl: string): Svc {
  const fetch = undiciFetch(dispatcher);
  return new Svc({ apiKey: "ak_test", baseUrl, env: {}, clock: fakeClock(), maxRetries: 5, fetch });
}

/** Follows each redirect, as an interceptor does that someone else wrote. */
const follows: Dispatcher.DispatcherComposeInterceptor = (dispatch) => (options, handler) =>
  interceptors.redirect({ maxRedirections: 3 })(dispatch)(withoutLimit(options), handler);

function withoutLimit(options: Dispatcher.DispatchOptions): Dispatcher.DispatchOptions {
  const { maxRedirections: _, ...others } = options as Dispatcher.DispatchOptions & { maxRedirections?: number };
  return others;
}

/** Places that a redirect may point to: nothing listens there, no program may connect there, it isn't HTTP. */
const DEAD_ENDS = ["http://127.0.0.1:1/", "http://127.0.0.1:0/", "file:///etc/passwd", "http://nowhere.invalid/"];

const dispatchers = [
  ["undici's redirect interceptor", interceptors.redirect({ maxRedirections: 3 })],
  ["an interceptor that ignores the request's limit", follows],
] as const;

describe.each(dispatchers)("%s", (_, interceptor) => {
  describe.each([302, 303, 307, 308])("and a %i", (status) => {
    test.each(DEAD_ENDS)("sends an execution once if the target is %s", async (target) => {
      const server = await responding(redirectTo(status, target));
      const svc = clientOver(new Agent().compose(interceptor), server.address);
      const error = await rejectionOf(SvcError, send(svc, "effect"));
      expect(server.requests.filter((request) => request.startsWith("POST"))).toHaveLength(1);
      expect(error).toMatchObject({ attempts: 1 });
      expect(error).not.toMatchObject({ outcome: "not_sent" });
    });

    test.each(["safe", "effect"] as const)("never sends the key of a %s call to another origin", async (retry) => {
      const other = await responding(json(200, { ok: true }));
      const server = await responding(redirectTo(status, `${other.address}/elsewhere`));
      await rejectionOf(SvcError, send(clientOver(new Agent().compose(interceptor), server.address), retry));
      expect(other.requests).toEqual([]);
    });
  });
});

test("an interceptor that retries an execution by itself is stopped, and the outcome is unknown", async () => {
  const server = await wireServer(() => ({ on: "request", play: (socket) => socket.destroy() }));
  onTestFinished(server.close);
  const retries = interceptors.retry({
    maxRetries: 3,
    minTimeout: 0,
    methods: ["POST"],
    errorCodes: ["UND_ERR_SOCKET"],
  });
  const error = await rejectionOf(SvcError, send(clientOver(new Agent().compose(retries), server.address), "effect"));
  expect(server.requests).toHaveLength(1);
  expect(error).toMatchObject({ outcome: "unknown", attempts: 1 });
});
