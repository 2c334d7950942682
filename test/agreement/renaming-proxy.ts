import { once } from "node:events";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { onTestFinished } from "vitest";

/** A server in front of another that renames what passes through: paths, headers and bodies. */
interface Renaming {
  /** Origin of the server behind it. */
  readonly target: string;
  /** Renames what a program sends. */
  readonly sent: (text: string) => string;
  /** Renames what the server responds. */
  readonly received: (text: string) => string;
}

/** Starts the server on a free port and returns its origin. `Host` and `Origin` pass unchanged. */
export async function renamingProxy(renaming: Renaming): Promise<string> {
  const server = createServer((incoming, outgoing) => void forward(incoming, outgoing, renaming));
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${Number(Reflect.get(Object(server.address()), "port"))}`;
}

async function forward(incoming: IncomingMessage, outgoing: ServerResponse, { target, sent, received }: Renaming) {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  const body = Buffer.from(sent(Buffer.concat(chunks).toString()));
  const { "content-length": _length, "transfer-encoding": _encoding, ...given } = incoming.headers;
  const headers = Object.entries(given).map(([name, value]) => [sent(name), sent(String(value))]);
  const { hostname, port } = new URL(target);
  const options = { hostname, port, method: incoming.method ?? "GET", path: sent(incoming.url ?? "/") };
  const onward = request({
    ...options,
    headers: { ...Object.fromEntries(headers), "accept-encoding": "identity", "content-length": body.length },
  });
  outgoing.once("close", () => onward.destroy());
  onward.once("error", () => outgoing.destroy());
  onward.end(body);
  const [response]: IncomingMessage[] = await once(onward, "response").catch(() => []);
  if (!response) return;
  const { "content-length": _ownLength, ...rest } = response.headers;
  const renamed = Object.entries(rest).map(([name, value]) => [received(name), received(String(value))]);
  outgoing.writeHead(response.statusCode ?? 502, Object.fromEntries(renamed));
  // Responses are one chunk or a stream of events, each of them whole.
  response.setEncoding("utf8").on("data", (chunk) => outgoing.write(received(String(chunk))));
  response.once("error", () => outgoing.destroy());
  response.once("end", () => outgoing.end());
}
