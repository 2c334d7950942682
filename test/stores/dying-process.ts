// Handles an event, or runs a call, in a transaction. Dies right before or after its nth statement. Its environment names
// the server, the event or call, the statement and the moment.

import { poolOf } from "./postgres-clients.js";
import { deliverTo, inTransaction, receiverOver } from "./transactions.js";

const { POSTGRES_HOST = "", ID = "", STATEMENT = "", MOMENT = "", WORK = "" } = process.env;

let statements = 0;
const pool = poolOf(POSTGRES_HOST, 2, async (run) => {
  statements += 1;
  const isLast = statements === Number(STATEMENT);
  if (isLast && MOMENT === "before") process.kill(process.pid, "SIGKILL");
  const reply = run();
  if (isLast && MOMENT === "during") setImmediate(() => process.kill(process.pid, "SIGKILL"));
  await reply;
  if (isLast) process.kill(process.pid, "SIGKILL");
  return reply;
});

if (WORK === "event") await deliverTo(receiverOver(pool), ID);
else await inTransaction(pool, ID);
process.send?.(statements);
await pool.end();
process.disconnect?.();
