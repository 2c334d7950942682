import { existsSync } from "node:fs";
import { Agent, createServer, type IncomingMessage, type RequestListener, request as send } from "node:http";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { createReceiver, verifyWebhook } from "../../src/webhooks/index.js";
import { toNodeHandler } from "../../src/webhooks/node.js";
import { listen, serve } from "../support/ports.js";
import { TRIGGER_V3 } from "./samples.js";
import { deliver, now, SECRET } from "./vectors.js";

/** Servers, adapters for Lambda, and mocks of Node requests. They are installed separately: npm run servers. */
const FOLDER = resolve("test/programs/servers");
const library = createRequire(join(FOLDER, "package.json"));
const isInstalled = existsSync(join(FOLDER, "node_modules/serverless-http"));
const NEEDS = isInstalled ? "" : " [skipped: npm run servers has not run]";

/** An Express application, of any version. */
interface App extends RequestListener {
  post(path: string, handler: (request: never, response: never) => unknown): unknown;
  use(...handlers: unknown[]): unknown;
}
type Express = (() => App) & { json(): unknown };
type Lambda = (event: object, context: object) => Promise<{ statusCode: number; body: string }>;

function setUp() {
  const seen: unknown[] = [];
  const errors: unknown[] = [];
  const receiver = createReceiver({
    secret: SECRET,
    now,
    on: { "svc.trigger.message": ({ event }) => seen.push(event) },
    onUnhandled: () => undefined,
    onError: (error) => errors.push(error),
  });
  return { receiver, handler: toNodeHandler(receiver), seen, errors };
}

/** The events of AWS for one delivery. */
const EVENTS: Record<string, (headers: Record<string, string>, body: string, isBase64Encoded: boolean) => object> = {
  "API Gateway v1": (headers, body, isBase64Encoded) => ({
    resource: "/{proxy+}",
    path: "/hook",
    httpMethod: "POST",
    headers,
    multiValueHeaders: manyOf(headers),
    queryStringParameters: null,
    multiValueQueryStringParameters: null,
    requestContext: { identity: { sourceIp: "192.0.2.1" }, requestId: "r_1", resourcePath: "/{proxy+}", stage: "live" },
    body,
    isBase64Encoded,
  }),
  "API Gateway v2": (headers, body, isBase64Encoded) => ({
    version: "2.0",
    routeKey: "POST /hook",
    rawPath: "/hook",
    rawQueryString: "",
    headers,
    requestContext: { http: { method: "POST", path: "/hook", sourceIp: "192.0.2.1" }, requestId: "r_1", stage: "live" },
    body,
    isBase64Encoded,
  }),
};

const manyOf = (headers: Record<string, string>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]]));

const ADAPTERS: Record<string, (app: App) => Lambda> = {
  "serverless-http 4": (app) => {
    const adapt = library("serverless-http") as (app: App) => Lambda;
    return adapt(app);
  },
  "@h4ad/serverless-adapter 4": (app) => {
    const name = "@h4ad/serverless-adapter";
    const { ServerlessAdapter } = library(name) as { ServerlessAdapter: { new: (app: App) => Builder } };
    const { DefaultHandler } = library(`${name}/handlers/default`) as { DefaultHandler: new () => object };
    const { PromiseResolver } = library(`${name}/resolvers/promise`) as { PromiseResolver: new () => object };
    const { ExpressFramework } = library(`${name}/frameworks/express`) as { ExpressFramework: new () => object };
    const { AlbAdapter, ApiGatewayV1Adapter, ApiGatewayV2Adapter } = library(`${name}/adapters/aws`) as Record<
      "AlbAdapter" | "ApiGatewayV1Adapter" | "ApiGatewayV2Adapter",
      new () => object
    >;
    return ServerlessAdapter.new(app)
      .setHandler(new DefaultHandler())
      .setResolver(new PromiseResolver())
      .setFramework(new ExpressFramework())
      .addAdapter(new AlbAdapter())
      .addAdapter(new ApiGatewayV1Adapter())
      .addAdapter(new ApiGatewayV2Adapter())
      .build();
  },
};

interface Builder {
  setHandler(part: object): Builder;
  setResolver(part: object): Builder;
  setFramework(part: object): Builder;
  addAdapter(part: object): Builder;
  build(): Lambda;
}

describe.skipIf(!isInstalled).each(Object.keys(ADAPTERS))(`%s${NEEDS}`, (adapter) => {
  describe.each(["express4", "express"])("with %s", (version) => {
    const start = (handler: ReturnType<typeof toNodeHandler>, isParsed = false) => {
      const express = library(version) as Express;
      const app = express();
      if (isParsed) app.use(express.json());
      app.post("/hook", handler as never);
      return ADAPTERS[adapter]?.(app) as Lambda;
    };

    describe.each(Object.keys(EVENTS))("from %s", (source) => {
      const eventOf = async (request: Request, encoding: "base64" | "text") => {
        const bytes = Buffer.from(await request.arrayBuffer());
        const isBase64 = encoding === "base64";
        const headers = Object.fromEntries(request.headers);
        return EVENTS[source]?.(headers, bytes.toString(isBase64 ? "base64" : "utf8"), isBase64) as object;
      };

      test.each(["base64", "text"] as const)("handles a delivery as %s once", async (encoding) => {
        const { handler, seen, errors } = setUp();
        const lambda = start(handler);
        const responses = [];
        for (const _ of [1, 2]) responses.push(await lambda(await eventOf(deliver(TRIGGER_V3), encoding), {}));
        expect(responses.map(({ statusCode, body }) => [statusCode, JSON.parse(body)])).toEqual([
          [200, { result: "handled" }],
          [200, { result: "duplicate" }],
        ]);
        expect(seen).toEqual([TRIGGER_V3]);
        expect(errors).toEqual([]);
      });

      test("rejects a forged delivery and one whose body was parsed, and reports why", async () => {
        const { handler, seen, errors } = setUp();
        const forged = await start(handler)(await eventOf(deliver(TRIGGER_V3, { secret: "wrong" }), "text"), {});
        const parsed = await start(handler, true)(await eventOf(deliver(TRIGGER_V3), "text"), {});
        expect([forged.statusCode, parsed.statusCode]).toEqual([401, 500]);
        expect(errors).toMatchObject([{ reason: "no_match" }, { reason: "body_already_parsed" }]);
        expect(seen).toEqual([]);
      });
    });
  });
});

test.skipIf(!isInstalled)(`reads headers that @h4ad/serverless-adapter keeps as lists${NEEDS}`, async () => {
  const { handler, seen } = setUp();
  const app = (library("express") as Express)();
  app.post("/hook", handler as never);
  const request = deliver(TRIGGER_V3);
  const event = {
    requestContext: { elb: { targetGroupArn: "arn:aws:elasticloadbalancing:example" } },
    httpMethod: "POST",
    path: "/hook",
    multiValueQueryStringParameters: {},
    multiValueHeaders: manyOf(Object.fromEntries(request.headers)),
    body: await request.text(),
    isBase64Encoded: false,
  };
  expect(await ADAPTERS["@h4ad/serverless-adapter 4"]?.(app)(event, {})).toMatchObject({ statusCode: 200 });
  expect(seen).toEqual([TRIGGER_V3]);
});

test("verifyWebhook reads the headers of a load balancer's event with multi-value headers", async () => {
  const request = deliver(TRIGGER_V3);
  const headers = manyOf(Object.fromEntries(request.headers));
  const event = { httpMethod: "POST", multiValueHeaders: headers, body: await request.text(), isBase64Encoded: false };
  const delivery = await verifyWebhook({ ...event, headers: event.multiValueHeaders }, { secret: SECRET, now });
  expect(delivery.event).toEqual(TRIGGER_V3);
});

describe.skipIf(!isInstalled)(`node-mocks-http${NEEDS}`, () => {
  interface Mocks {
    createRequest(options: object): never;
    createResponse(): { statusCode: number; _getJSONData(): unknown; _isEndCalled(): boolean };
  }
  const respondTo = async (handler: ReturnType<typeof toNodeHandler>, request: Request, body: unknown) => {
    const { createRequest, createResponse } = library("node-mocks-http") as Mocks;
    const response = createResponse();
    const headers = Object.fromEntries(request.headers);
    // The type omits the promise that the handler returns.
    const handled: unknown = handler(createRequest({ method: "POST", url: "/hook", headers, body }), response as never);
    await (handled as Promise<void>);
    return response;
  };

  test("handles a mocked request whose body is a Buffer", async () => {
    const { handler, seen } = setUp();
    const request = deliver(TRIGGER_V3);
    const response = await respondTo(handler, request, Buffer.from(await request.clone().arrayBuffer()));
    expect([response.statusCode, response._getJSONData()]).toEqual([200, { result: "handled" }]);
    expect(seen).toEqual([TRIGGER_V3]);
  });

  test.each([
    ["an object", (text: string): unknown => JSON.parse(text), /body was already read\. .*express\.raw/],
    ["a string", (text: string): unknown => text, /body is a string\. Keep the body as bytes\. .*express\.raw/],
    ["missing", (): unknown => undefined, /body was already read\./],
  ])("explains what is missing if the body of a mocked request is %s", async (_what, bodyOf, message) => {
    const { handler, errors } = setUp();
    const request = deliver(TRIGGER_V3);
    const response = await respondTo(handler, request, bodyOf(await request.clone().text()));
    expect(response.statusCode).toBe(500);
    expect(errors).toMatchObject([{ reason: "body_already_parsed", message: expect.stringMatching(message) }]);
  });
});

describe("http.Server", () => {
  test("gets no more requests on a connection that was in use when it was closed", async () => {
    const server = createServer((request, response) => handler(request, response));
    const closed = new Promise((resolve) => server.once("close", resolve));
    const receiver = createReceiver({
      secret: SECRET,
      now,
      on: { "svc.trigger.message": () => void server.close() },
      onUnhandled: () => undefined,
    });
    const handler = toNodeHandler(receiver);
    const url = `http://127.0.0.1:${await listen(server)}/hook`;
    const agent = new Agent({ keepAlive: true });
    onTestFinished(() => agent.destroy());
    const delivery = deliver(TRIGGER_V3);
    const body = await delivery.text();
    const response = await new Promise<IncomingMessage>((resolve) => {
      send(url, { method: "POST", agent, headers: Object.fromEntries(delivery.headers) }, resolve).end(body);
    });
    expect([response.statusCode, response.headers.connection]).toEqual([200, "close"]);
    response.resume();
    await closed;
  });
});

describe.skipIf(!isInstalled)(`h3${NEEDS}`, () => {
  type Handler = (event: never) => unknown;
  interface H3 {
    H3: new () => { post(path: string, handler: Handler): { request(request: Request): Promise<Response> } };
  }
  interface H3V1 {
    createApp(): { use(path: string, handler: Handler): unknown };
    eventHandler(handler: Handler): Handler;
    toNodeListener(app: object): RequestListener;
    toWebRequest(event: never): Request;
  }

  test("2: handles event.req, and names it if the event is passed", async () => {
    const { H3 } = (await import(library.resolve("h3"))) as H3;
    const { receiver, seen, errors } = setUp();
    const respond = (handler: Handler) => new H3().post("/hook", handler).request(deliver(TRIGGER_V3));
    expect((await respond((event) => receiver(event))).status).toBe(500);
    expect(errors).toMatchObject([{ name: "ConfigError", message: expect.stringContaining("its req is: pass that.") }]);
    expect((await respond(({ req }: { req: Request }) => receiver(req))).status).toBe(200);
    expect(seen).toEqual([TRIGGER_V3]);
  });

  test("1: handles toWebRequest(event), and names it if the event is passed", async () => {
    const { createApp, eventHandler, toNodeListener, toWebRequest } = library("h3-1") as H3V1;
    const { receiver, seen, errors } = setUp();
    const respond = async (handler: Handler) => {
      const app = createApp();
      app.use("/hook", eventHandler(handler));
      return await fetch(deliver(TRIGGER_V3, { url: await serve(toNodeListener(app)) }));
    };
    expect((await respond((event) => receiver(event))).status).toBe(500);
    expect(errors).toMatchObject([{ message: expect.stringContaining("In h3 1, pass toWebRequest(event).") }]);
    expect((await respond((event) => receiver(toWebRequest(event)))).status).toBe(200);
    expect(seen).toEqual([TRIGGER_V3]);
  });
});
