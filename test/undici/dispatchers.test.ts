import { createServer as createHttpServer } from "node:http";
import { createServer } from "node:https";
import { connect } from "node:net";
import type { TLSSocket } from "node:tls";
import { Agent, MockAgent, Pool, ProxyAgent } from "undici";
import { describe, expect, onTestFinished, test } from "vitest";
import { ConfigError, ConnectionError, Svc } from "../../src/index.js";
import { undiciFetch } from "../../src/undici/index.js";
import { SELF_SIGNED } from "../faults/certificates.js";
import { json, wireServer, writes } from "../faults/wire.js";
import { rejection, rejectionOf, send } from "../support/client.js";
import { fakeClock } from "../support/clock.js";
import { listen } from "../support/ports.js";

/** A service that answers every probe, and a client of it over this dispatcher. */
function clientOver(dispatcher: Parameters<typeof undiciFetch>[0], baseUrl: string): Svc {
  const fetch = undiciFetch(dispatcher);
  return new Svc({ apiKey: "ak_test", baseUrl, env: {}, clock: fakeClock(), maxRetries: 0, fetch });
}

async function service() {
  const server = await wireServer(() => writes(json(200, { ok: true })));
  onTestFinished(server.close);
  return server;
}

/** A server of TLS that only lets in who shows a certificate it knows. */
async function exclusiveService(): Promise<string> {
  const { key, cert } = SELF_SIGNED;
  const server = createServer(
    { key, cert, ca: cert, requestCert: true, rejectUnauthorized: true },
    (request, response) => {
      const { subject } = (request.socket as TLSSocket).getPeerCertificate();
      response.end(JSON.stringify({ ok: subject.CN }));
    },
  );
  onTestFinished(() => void server.close().closeAllConnections());
  return `https://127.0.0.1:${await listen(server)}`;
}

/** A proxy, and the hosts that it was asked to connect to. */
async function proxy(): Promise<{ readonly url: string; readonly hosts: readonly string[] }> {
  const hosts: string[] = [];
  const server = createHttpServer((_request, response) => response.writeHead(407).end());
  server.on("connect", ({ url = "" }, socket) => {
    hosts.push(url);
    const { hostname, port } = new URL(`http://${url}`);
    const upstream = connect(Number(port), hostname, () => {
      socket.write("HTTP/1.1 200 Connected\r\n\r\n");
      upstream.pipe(socket).pipe(upstream);
    });
    for (const end of [socket, upstream]) end.on("error", () => void [socket, upstream].map((each) => each.destroy()));
  });
  onTestFinished(() => void server.close().closeAllConnections());
  return { url: `http://127.0.0.1:${await listen(server)}`, hosts };
}

test.each([{ connections: 20 }, null, "http://proxy.example"])("%j isn't a dispatcher", (options) => {
  // JavaScript programs can pass the options of an agent.
  expect(() => undiciFetch(options as never)).toThrow(
    new ConfigError("undiciFetch: dispatcher must be new Agent(), new ProxyAgent() or an object with dispatch()."),
  );
});

describe("a custom dispatcher", () => {
  test("may send through a proxy", async () => {
    const server = await service();
    const { url, hosts } = await proxy();
    const dispatcher = new ProxyAgent({ uri: url, proxyTunnel: true });
    onTestFinished(() => dispatcher.destroy());
    const svc = clientOver(dispatcher, server.address);
    expect(await send(svc, "effect")).toEqual({ ok: true });
    expect(hosts).toEqual([new URL(server.address).host]);
    expect(server.turns).toBe(1);
  });

  test("may present a client certificate and trust a custom one", async () => {
    const baseUrl = await exclusiveService();
    const { key, cert } = SELF_SIGNED;
    const dispatcher = new Agent({ connect: { ca: cert, key, cert } });
    onTestFinished(() => dispatcher.destroy());
    expect(await send(clientOver(dispatcher, baseUrl))).toEqual({ ok: "svc-sdk test" });
  });

  test("is rejected without its certificate", async () => {
    const baseUrl = await exclusiveService();
    const dispatcher = new Agent({ connect: { ca: SELF_SIGNED.cert } });
    onTestFinished(() => dispatcher.destroy());
    await rejectionOf(ConnectionError, send(clientOver(dispatcher, baseUrl)));
  });

  test("may be a pool of few connections", async () => {
    const server = await service();
    const pool = new Pool(server.address, { connections: 2 });
    onTestFinished(() => pool.destroy());
    const svc = clientOver(pool, server.address);
    await Promise.all(Array.from({ length: 20 }, () => send(svc)));
    expect(server.turns).toBe(20);
    expect(server.connections).toBeLessThanOrEqual(2);
  });

  test("may be composed with interceptors", async () => {
    const server = await service();
    const agent = new Agent();
    onTestFinished(() => agent.destroy());
    const tagged = agent.compose((dispatch) => (options, handler) => {
      const headers = [...(options.headers as string[]), "x-tag", "tagged"];
      return dispatch({ ...options, headers }, handler);
    });
    await send(clientOver(tagged, server.address));
    expect(server.requests[0]).toContain("x-tag: tagged");
  });

  test("may decode headers as UTF-8, as undici 7.0 does", async () => {
    const server = await service();
    const agent = new Agent();
    onTestFinished(() => agent.destroy());
    const decoding = agent.compose((dispatch) => (options, handler) => {
      const decoded = { "x-name": "\u6771\u4eac", "x-names": ["J\u00fcrgen", "\ufffd"] };
      return dispatch(options, {
        onRequestStart: (...given) => handler.onRequestStart?.(...given),
        onResponseStart: (connection, status, headers, text) =>
          handler.onResponseStart?.(connection, status, { ...headers, ...decoded }, text),
        onResponseData: (...given) => handler.onResponseData?.(...given),
        onResponseEnd: (...given) => handler.onResponseEnd?.(...given),
        onResponseError: (...given) => handler.onResponseError?.(...given),
      });
    });
    const { headers } = await undiciFetch(decoding)(server.address, { method: "POST" });
    const bytes = (text: string) => Buffer.from(text).toString("latin1");
    expect(headers.get("x-name")).toBe(bytes("\u6771\u4eac"));
    expect(headers.get("x-names")).toBe(`J\u00fcrgen, ${bytes("\ufffd")}`);
  });

  test("may be undici's mock", async () => {
    const mock = new MockAgent();
    mock.disableNetConnect();
    mock.get("https://api.example.com").intercept({ path: /probe/, method: "POST" }).reply(200, { ok: true });
    const svc = clientOver(mock, "https://api.example.com");
    expect(await send(svc)).toEqual({ ok: true });
    await rejectionOf(ConnectionError, send(svc));
  });

  test("may be closed: then nothing is sent", async () => {
    const server = await service();
    const agent = new Agent();
    await agent.close();
    const error = await rejection(undiciFetch(agent)(server.address));
    expect(error).toBeInstanceOf(TypeError);
    expect(error).toMatchObject({ cause: { code: "UND_ERR_DESTROYED" } });
  });

  test("may throw: that is a TypeError with its cause", async () => {
    const broken = {
      dispatch: () => {
        throw new RangeError("broken");
      },
    };
    const error = await rejection(undiciFetch(broken)("http://127.0.0.1/"));
    expect(error).toBeInstanceOf(TypeError);
    expect(error).toMatchObject({ message: "fetch failed", cause: { message: "broken" } });
  });

  test("may limit the time for headers", async () => {
    const server = await wireServer(() => writes(""));
    onTestFinished(server.close);
    const agent = new Agent({ headersTimeout: 50 });
    onTestFinished(() => agent.destroy());
    const error = await rejection(undiciFetch(agent)(server.address));
    expect(error).toMatchObject({ message: "fetch failed", cause: { code: "UND_ERR_HEADERS_TIMEOUT" } });
  });
});

test("two fetches of undiciFetch() share no connections", async () => {
  const server = await service();
  for (const fetch of [undiciFetch(), undiciFetch()]) await (await fetch(server.address)).text();
  expect(server.connections).toBe(2);
});
