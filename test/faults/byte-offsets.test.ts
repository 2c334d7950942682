import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type RunningEmulator, startEmulator } from "../../src/emulator/node.js";
import { ApiError, type CallOutcome, ConnectionError, endpoint, Svc, typed } from "../../src/index.js";
import { fakeClock, settle } from "../support/clock.js";
import { sized } from "../support/size.js";
import { TRANSPORT } from "../support/transport.js";
import { type Cut, type CutProxy, cutProxy } from "./cut-proxy.js";
import { execution, mailingService } from "./mailing-service.js";

/** How many cuts are made at least: the long run goes round several times. */
const CUTS = sized(0, 10_000);
const LANES = 8;

const { ran, options } = mailingService();
let emulator: RunningEmulator;

beforeAll(async () => {
  emulator = await startEmulator(options);
});
afterAll(() => emulator.close());

interface Lane {
  readonly proxy: CutProxy;
  readonly svc: Svc;
}

async function openLane(): Promise<Lane> {
  const proxy = await cutProxy(Number(new URL(emulator.url).port));
  const svc = new Svc({
    ...emulator.connection,
    baseUrl: proxy.address,
    env: {},
    clock: fakeClock(),
    maxRetries: 2,
    ...TRANSPORT,
  });
  return { proxy, svc };
}

/** Numbers of the same length make requests of the same length. */
const numberOf = (index: number) => String(1_000_000 + index);

/** How many bytes a request and its response have. */
async function measure(): Promise<CutProxy["passed"]> {
  const { proxy, svc } = await openLane();
  proxy.arm();
  await svc.tools.execute("MAIL_SEND", execution(numberOf(999_999)));
  const { passed } = proxy;
  await proxy.close();
  return passed;
}

function everyCut(lengths: CutProxy["passed"]): Cut[] {
  return (["request", "response"] as const).flatMap((side) =>
    Array.from({ length: lengths[side] + 1 }, (_, at) =>
      (["FIN", "RST"] as const).map((how): Cut => ({ side, at, how })),
    ).flat(),
  );
}

interface Run extends Cut {
  readonly run: string;
  /** What the call says about the effect. */
  readonly says: "done" | CallOutcome | "nothing" | "something untyped";
}

async function execute({ proxy, svc }: Lane, cut: Cut, run: string): Promise<Run> {
  proxy.arm(cut);
  const says = await svc.tools.execute("MAIL_SEND", execution(run)).then(
    () => "done" as const,
    (error: unknown) =>
      error instanceof ConnectionError || error instanceof ApiError
        ? (error.outcome ?? "nothing")
        : "something untyped",
  );
  await proxy.settled();
  return { ...cut, run, says };
}

/** Makes every cut, on several connections at a time. */
async function makeAll(cuts: readonly Cut[]): Promise<readonly Run[]> {
  const waiting = cuts.map((cut, index) => ({ cut, run: numberOf(index) }));
  const runs: Run[] = [];
  const work = async () => {
    const lane = await openLane();
    for (let next = waiting.shift(); next; next = waiting.shift()) runs.push(await execute(lane, next.cut, next.run));
    await lane.proxy.close();
  };
  await Promise.all(Array.from({ length: LANES }, work));
  await settle();
  return runs;
}

const times = ({ run }: Run) => ran.get(run) ?? 0;

/** What the label allows: how often the tool may have run. */
const ALLOWED: Readonly<Record<Run["says"], readonly number[]>> = {
  done: [1],
  not_sent: [0],
  rejected: [0],
  unknown: [0, 1],
  nothing: [],
  "something untyped": [],
};

describe("a connection that is cut at any byte of a tool's execution", () => {
  test("never makes the tool run twice, and the error has the right outcome", {
    timeout: 120_000 + CUTS * 20,
  }, async () => {
    const lengths = await measure();
    const all = everyCut(lengths);
    expect(all.length).toBeGreaterThan(1_000);
    // The last byte of the response is among them.
    const once = all.filter((_, index) => (all.length - 1 - index) % sized(20, 1) === 0);
    const rounds = Math.max(1, Math.ceil(CUTS / once.length));
    const runs = await makeAll(Array.from({ length: rounds }, () => once).flat());

    const count = (which: (run: Run) => boolean) => runs.filter(which).length;
    const figures = Object.keys(ALLOWED).map((says) => {
      const those = runs.filter((run) => run.says === says);
      return `${says} ${those.length} (ran ${those.filter((run) => times(run) === 1).length})`;
    });
    console.info(`${runs.length} cuts, ${count((run) => times(run) > 1)} doubles: ${figures.join(", ")}`);

    expect(runs).toHaveLength(once.length * rounds);
    expect(runs.filter((run) => times(run) > 1)).toEqual([]);
    expect(runs.filter((run) => !ALLOWED[run.says].includes(times(run)))).toEqual([]);
    // A request that was cut short cannot have run, and one whose response was in flight has.
    expect(runs.filter((run) => run.side === "request" && run.at < lengths.request && times(run) > 0)).toEqual([]);
    expect(runs.filter((run) => run.side === "response" && times(run) !== 1)).toEqual([]);
    // A response that arrived whole counts, whatever becomes of its connection.
    expect(
      count((run) => run.side === "response" && run.at === lengths.response && run.says === "done"),
    ).toBeGreaterThan(0);
  });

  test("would make it run twice if the endpoint were declared retryable, as the emulator's count shows", async () => {
    const careless = endpoint({
      name: "tools.executeCarelessly",
      method: "POST",
      path: "/api/{apiVersion}/tools/execute/{tool_slug}",
      auth: ["apiKey"],
      retry: "safe",
      body: typed<object>(),
      response: typed<object>(),
    });
    const { proxy, svc } = await openLane();
    proxy.arm({ side: "response", at: 20, how: "RST" });
    await svc.call(careless, { params: { tool_slug: "MAIL_SEND" }, body: execution("careless") });
    await proxy.close();
    expect(ran.get("careless")).toBe(2);
  });
});
