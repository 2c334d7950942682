import { execFile, spawn, spawnSync } from "node:child_process";
import { chownSync, globSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll } from "vitest";
import { POSTGRES_MIGRATION } from "../../src/stores/postgres.js";
import { hasClients, poolOf } from "./postgres-clients.js";

/** Debian has the programs of each version in a folder that isn't on the path. */
const folders = globSync("/usr/lib/postgresql/*/bin");
const program = (name: string) =>
  [name, ...folders.map((folder) => join(folder, name))].find((path) => spawnSync(path, ["--version"]).status === 0);
const [initdb, postgres] = ["initdb", "postgres"].map(program);

/** Whether PostgreSQL and its clients are there. Without them, tests are skipped, and their titles say so. */
export const hasPostgres = hasClients && initdb !== undefined && postgres !== undefined;

/** Suffixes for titles of tests that need a server, or only the clients. */
export const NEEDS_CLIENTS = hasClients ? "" : " [skipped: the clients of PostgreSQL are not installed]";
export const NEEDS_POSTGRES = !hasClients || hasPostgres ? NEEDS_CLIENTS : " [skipped: PostgreSQL is not installed]";

/** PostgreSQL doesn't run as root. */
const run = promisify(execFile);
const NOBODY = 65_534;
const user = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};

let initialized: Promise<string> | undefined;

/** A new folder of a server, which the test files of a worker copy, because it takes a second to make one. */
async function template(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "svc-postgres-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  if (user.uid !== undefined) chownSync(folder, user.uid, user.gid);
  const data = join(folder, "data");
  const setup = ["-D", data, "-U", "postgres", "-A", "trust", "--no-sync", "--encoding", "UTF8", "--no-locale"];
  await run(String(initdb), setup, { ...user, cwd: folder });
  return data;
}

/** Starts a new server on a socket file, with the tables. */
export async function startPostgres() {
  const folder = mkdtempSync(join(tmpdir(), "svc-postgres-"));
  if (user.uid !== undefined) chownSync(folder, user.uid, user.gid);
  const data = join(folder, "data");
  initialized ??= template();
  await run("cp", ["-r", await initialized, data], { ...user, cwd: folder });
  // A killed process loses nothing that it has given to the system, so nothing needs to be on the disk.
  const settings = ["fsync=off", "listen_addresses=", `unix_socket_directories=${folder}`, "max_connections=60"];
  const args = ["-D", data, ...settings.flatMap((setting) => ["-c", setting])];
  const pool = poolOf(folder);
  const start = () => {
    const child = spawn(String(postgres), args, { ...user, cwd: folder, stdio: "ignore" });
    return { child, exited: new Promise((resolve) => child.once("exit", resolve)) };
  };
  let server = start();
  /** Until it answers. Right after a kill it doesn't start, because its old processes are still there. */
  const isReady = async () => {
    for (let tries = 0; tries < 600; tries += 1) {
      if (await pool.query("SELECT 1").catch(() => undefined)) return;
      if (server.child.exitCode !== null) server = start();
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    throw new Error("PostgreSQL doesn't start.");
  };
  const kill = async () => {
    server.child.kill("SIGKILL");
    await server.exited;
  };
  await isReady();
  await pool.query(POSTGRES_MIGRATION);
  /** Kills it, and starts it again with what it has written. */
  const restart = async () => {
    await kill();
    server = start();
    await isReady();
  };
  const stop = async () => {
    await pool.end();
    server.child.kill("SIGQUIT"); // At once, and its other processes with it.
    await server.exited;
    rmSync(folder, { recursive: true, force: true });
  };
  return { host: folder, pool, restart, stop };
}

export type PostgresServer = Awaited<ReturnType<typeof startPostgres>>;

/** A server for the tests of this `describe`. */
export function postgresServer(): PostgresServer {
  const server = {} as PostgresServer; // Filled before the first test.
  beforeAll(async () => void Object.assign(server, await startPostgres()));
  afterAll(async () => await server.stop?.());
  return server;
}
