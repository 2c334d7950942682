import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll } from "vitest";
import { wires } from "./wires.js";

/** A call that the scripted model makes. Arguments that are a string are sent as they are: broken JSON, for example. */
export interface ScriptedCall {
  readonly id?: string;
  readonly name: string;
  readonly arguments: unknown;
  /** The id of the program that makes it. */
  readonly program?: string;
}

/** A turn of the scripted model. */
export interface ScriptedTurn {
  readonly text?: string;
  readonly calls?: readonly ScriptedCall[];
  /** Ends as if the output limit had cut the last call off. */
  readonly isTruncated?: boolean;
}

/** One request that the model got, and what it read there. */
export interface SeenRequest {
  readonly path: string;
  // The wires differ; tests look at what their own one sent.
  readonly body: Record<string, unknown>;
  /** The answers to the previous turn's calls, in order. */
  readonly answers: readonly { readonly id: string; readonly text: string; readonly isError: boolean | undefined }[];
}

/** A model that says what a script says, over the real wire of each provider. */
export interface ModelServer {
  readonly url: string;
  readonly requests: SeenRequest[];
  /** Sets what it says next, a turn per request, and forgets what it was asked. After the script it says "done". */
  script(...turns: readonly ScriptedTurn[]): void;
}

/**
 * Starts a scripted model. Like the real services, it rejects a request that doesn't answer a call of the previous
 * turn or answers one twice.
 */
export async function startModel(): Promise<ModelServer> {
  let turns: ScriptedTurn[] = [];
  let previous: ScriptedTurn | undefined;
  const requests: SeenRequest[] = [];
  /** No two responses of a service have the same id. */
  let served = 0;
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = request.url ?? "";
    const wire = wires.find(({ matches }) => matches(path));
    const body = JSON.parse((await textOf(request)) || "{}");
    if (!wire) return void response.writeHead(404).end(`No wire for ${path}`);
    const answers = wire.answersIn(body);
    const asked = wire.callsIn(body);
    requests.push({ path, body, answers });
    const expected = previous?.calls?.length ?? 0;
    const problem =
      answers.length === expected ? wire.problem(body, asked) : `${expected} calls, ${answers.length} answers`;
    if (problem !== undefined) {
      response.writeHead(400, { "content-type": "application/json" });
      return void response.end(
        JSON.stringify({
          error: { message: problem, type: "invalid_request_error", code: 400, status: "INVALID_ARGUMENT" },
        }),
      );
    }
    const turn = turns.shift() ?? { text: "done" };
    previous = turn;
    served += 1;
    const isStreamed = body.stream === true || path.includes("stream");
    response.writeHead(200, { "content-type": isStreamed ? "text/event-stream" : "application/json" });
    if (!isStreamed) return void response.end(JSON.stringify(wire.whole(turn, served)));
    for (const chunk of wire.streamed(turn, served)) response.write(chunk);
    response.end();
  };
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  afterAll(() => {
    server.close();
    server.closeAllConnections();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    script: (...next) => {
      turns = [...next];
      previous = undefined;
      requests.length = 0;
    },
  };
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of request) text += chunk;
  return text;
}
