import { describe, test } from "vitest";
import { sampled, sized } from "../support/size.js";
import { TRANSPORT } from "../support/transport.js";
import { CONNECTION_ROWS } from "./connection-rows.js";
import { DATA_ROWS } from "./data-rows.js";
import { FETCH_ROWS } from "./fetch-rows.js";
import { REDIRECT_ROWS } from "./redirect-rows.js";
import { STATUS_ROWS } from "./status-rows.js";
import { casesOf, type Fault, meet } from "./table.js";

const isTimed = ({ right }: Fault) => "error" in right && right.isTimed === true;

// One group after the other: what is timed must not wait for a bomb to be unpacked.
const GROUPS = {
  "a peer that never comes to an end": [...CONNECTION_ROWS, ...STATUS_ROWS].filter(isTimed),
  "the connection": CONNECTION_ROWS.filter((fault) => !isTimed(fault)),
  "an answer that should be the data": DATA_ROWS,
  "a failing status": STATUS_ROWS.filter((fault) => !isTimed(fault)),
  "a redirect": REDIRECT_ROWS,
  // They bring their own.
  ...(TRANSPORT.fetch === undefined && { "an injected fetch": FETCH_ROWS }),
};

const ALL = Object.values(GROUPS).flatMap((faults) => sampled(faults, 2));
const CALLS = ALL.flatMap(casesOf).length;

describe(`${ALL.length} faults, each in ${sized(1, 9)} of 9 ways: ${CALLS} calls, each with one right outcome`, () => {
  for (const [where, faults] of Object.entries(GROUPS)) {
    describe(where, () => {
      for (const fault of sampled(faults, 2)) {
        test.concurrent(fault.name, { timeout: 90_000 }, async () => {
          await Promise.all(casesOf(fault).map((way) => meet(fault, way)));
        });
      }
    });
  }
});
