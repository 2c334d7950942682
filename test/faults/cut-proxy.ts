import { connect, createServer, type Socket } from "node:net";
import { listen } from "../support/ports.js";

/** Where a connection is cut: after this many bytes of one direction, with a FIN or a RST to both sides. */
export interface Cut {
  readonly side: "request" | "response";
  readonly at: number;
  readonly how: "FIN" | "RST";
}

/** A proxy for one call at a time, that cuts its connection at a given place. */
export interface CutProxy {
  readonly address: string;
  /** How many bytes went each way since it was armed. */
  readonly passed: Readonly<Record<Cut["side"], number>>;
  /** Counts from now on, and cuts once at this place; never without one. */
  arm(cut?: Cut): void;
  /** Resolves when the connections that were cut are gone on both sides. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

/** Starts a proxy to a port of this machine. */
export async function cutProxy(port: number): Promise<CutProxy> {
  const sockets = new Set<Socket>();
  const ending = new Set<Promise<void>>();
  let plan: Cut | undefined;
  let passed = { request: 0, response: 0 };

  const sever = (pair: readonly Socket[], how: Cut["how"]) => {
    plan = undefined;
    const gone = Promise.all(pair.map((socket) => new Promise((resolve) => socket.once("close", resolve))));
    const end = gone.then(() => void ending.delete(end));
    ending.add(end);
    for (const socket of pair) {
      socket.removeAllListeners("data").resume();
      if (how === "FIN") socket.end();
      // In the next turn: a reset overtakes what has not gone out yet.
      else setImmediate(() => socket.resetAndDestroy());
    }
  };

  const server = createServer({ allowHalfOpen: true }, (client) => {
    const service = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
    const pair = [client, service];
    const forward = (side: Cut["side"], to: Socket) => (bytes: Buffer) => {
      const isCut = plan?.side === side && passed[side] + bytes.byteLength >= plan.at;
      const part = isCut && plan ? bytes.subarray(0, plan.at - passed[side]) : bytes;
      passed[side] += part.byteLength;
      if (part.byteLength > 0) to.write(part);
      if (isCut && plan) sever(pair, plan.how);
    };
    client.on("data", forward("request", service));
    service.on("data", forward("response", client));
    for (const [socket, other] of [
      [client, service],
      [service, client],
    ] as const) {
      socket.setNoDelay(true);
      sockets.add(socket);
      socket.on("error", () => undefined);
      socket.on("end", () => {
        socket.end();
        other.end();
      });
      socket.on("close", () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
  });
  const own = await listen(server);
  return {
    address: `http://127.0.0.1:${own}`,
    get passed() {
      return passed;
    },
    arm: (cut) => {
      plan = cut;
      passed = { request: 0, response: 0 };
    },
    settled: async () => {
      await Promise.all(ending);
    },
    close: () => {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
