import { createServer as createHttpServer, type RequestListener } from "node:http";
import { createServer, type Server } from "node:net";
import { onTestFinished } from "vitest";

/** Listens on this port of this machine, or on one that is free; gives its number. */
export function listen(server: Server, port = 0): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => {
      const address = server.address();
      if (typeof address === "object" && address !== null) resolve(address.port);
      else reject(new Error("the server has no port"));
    });
  });
}

/**
 * A port on which no one listens. It isn't one of those that the system gives to who asks for any:
 * tests run beside each other, and one of them would get it before it is used.
 */
export async function freePort(): Promise<number> {
  const server = createServer();
  const port = 20_000 + Math.floor(Math.random() * 10_000);
  const isFree = await listen(server, port).catch(() => undefined);
  if (isFree === undefined) return freePort();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Serves HTTP until the test is over, and gives the URL of a webhook there. */
export async function serve(listener: RequestListener): Promise<string> {
  const server = createHttpServer(listener);
  const port = await listen(server);
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${port}/hook`;
}
