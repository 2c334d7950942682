import type { Emulator } from "../engine/emulator.js";
import type { Engine } from "../engine/engine.js";
import { CONTROL_PREFIX, controlPlane } from "./control-plane.js";
import { EventStream } from "./event-stream.js";
import { inspectorPage } from "./inspector-page.js";

/** The part of an emulator on a port that is for this machine only: the control plane, and the inspector at `/`. */
export interface LocalPlane {
  /** Whether a request is for it. */
  matches(request: Request): boolean;
  /** Responds to a request of a caller on this machine. */
  serve(request: Request): Promise<Response>;
}

/** Creates the local plane of an emulator. */
export function localPlane(emulator: Omit<Emulator, "fetch" | "connection">, engine: Engine): LocalPlane {
  const token = crypto.randomUUID();
  const stream = new EventStream();
  engine.subscribe((activity) => stream.add(activity));
  const control = controlPlane({ emulator, engine, stream });
  return {
    matches: (request) => new URL(request.url).pathname.startsWith(`${CONTROL_PREFIX}/`) || isForInspector(request),
    serve: async (request) => {
      if (isForInspector(request)) return inspectorPage(token);
      if (request.method === "GET" && !isForOtherPage(request)) return control(request);
      if (isFromPage(request) && request.headers.get(TOKEN_HEADER) !== token) {
        return Response.json(NO_TOKEN, { status: 403 });
      }
      const response = await control(request);
      engine.world.feed.publish({ type: "control", ...(await outcomeOf(request, response)) });
      return response;
    },
  };
}

/** Programs that get `/` still receive the service's 404. */
function isForInspector({ method, url, headers }: Request): boolean {
  return method === "GET" && new URL(url).pathname === "/" && (headers.get("accept") ?? "").includes("text/html");
}

const NO_TOKEN = {
  message:
    "Web pages can't control the emulator, except for its own inspector. Use it, or send the request from a program.",
};

/**
 * Header of the inspector's changes. Only its page knows the token, and pages of other origins can't read that page.
 */
const TOKEN_HEADER = "x-emulator-token";

/** Whether a browser sent a request for a page, which always names its origin. */
function isFromPage({ headers }: Request): boolean {
  return headers.has("origin") || headers.has("sec-fetch-site");
}

/** Whether a browser loads something into a page of another origin. It couldn't read it, but measure it. */
function isForOtherPage({ headers }: Request): boolean {
  return (
    /^(cross|same)-site$/.test(headers.get("sec-fetch-site") ?? "") && headers.get("sec-fetch-mode") !== "navigate"
  );
}

async function outcomeOf({ method, url }: Request, response: Response) {
  const { status } = response;
  const { message }: { message?: unknown } = status < 400 ? {} : Object(await response.clone().json());
  return { method, path: new URL(url).pathname, status, error: message === undefined ? null : String(message) };
}
