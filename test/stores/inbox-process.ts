// Handles each of many events until they are acknowledged. A test kills it, and the server. Its environment names the
// server and the events.
import { setTimeout as passed } from "node:timers/promises";
import { poolOf } from "./postgres-clients.js";
import { deliverTo, receiverOver } from "./transactions.js";

const { POSTGRES_HOST = "", IDS = "" } = process.env;
const pool = poolOf(POSTGRES_HOST, 12);
const receiver = receiverOver(pool);
const waiting: string[] = JSON.parse(IDS);
const handleAll = async () => {
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    while ((await deliverTo(receiver, id)) !== 200) await passed(50);
    process.send?.(id);
  }
};
await Promise.all(Array.from({ length: 6 }, handleAll));
await pool.end();
process.disconnect?.();
