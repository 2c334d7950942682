// One run of a small world: several processes of real code, and a scheduler that decides what happens next. Nothing in it
// waits for real time, so a run is a function of the scheduler's choices.
import type { Faults } from "./faults.js";
import { VirtualTime } from "./virtual-time.js";

export type { Faults } from "./faults.js";

/** A promise of the search is broken. */
export class Violation extends Error {}

const SUSPENDED_MS = 60_000;

/** A world to search: what its processes do, and what must be true. */
export interface Definition {
  readonly name: string;
  readonly faults: Faults;
  /** Starts the processes. */
  start(world: World): void;
}

/** Something that may happen next. */
export interface Step {
  readonly label: string;
  /** Tells steps with equal labels apart. */
  readonly key: string;
  run(): unknown;
}

/** A request on its way: to a store, or over the network. */
interface Request {
  readonly process: Process;
  readonly label: string;
  /** Requests with another key never influence each other, in either order. */
  readonly key: string;
  act(): Promise<unknown>;
  resolve(value: unknown): void;
  reject(error: unknown): void;
  /** No process waits for the reply to a stray request: its process was told that the connection is lost. */
  state: "sent" | "held" | "stray";
  /** Whether it goes to another machine, so that it or its reply can be lost. */
  readonly isRemote: boolean;
  /** Whether a client may send it again by itself, as those of stores do. */
  readonly isResent: boolean;
  reply?: () => void;
}

/** The error of a request whose reply was lost. */
class ConnectionLost extends Error {
  readonly code = "ECONNRESET";
}

/** One process: its code runs until it is done or the scheduler ends it. */
export class Process {
  readonly name: string;
  readonly world: World;
  isDone = false;
  isDead = false;
  /** Everything the process has seen, which determines its state. */
  history = "";
  /** How far its wall clock is from the world's time, in milliseconds. */
  wallOffsetMs = 0;
  ids = 0;
  /** Whether any of its requests has arrived somewhere. */
  hasActed = false;
  /** Processes that do the same have the same one; `undefined` if it does something else than every other. */
  readonly role: string | undefined;

  constructor(world: World, name: string, role?: string) {
    this.world = world;
    this.name = name;
    this.role = role;
  }

  /** Whether nothing has happened to it yet. */
  get isFresh(): boolean {
    return this.history === "" && !this.hasActed && !this.isDead && this.wallOffsetMs === 0;
  }

  /** A store as this process sees it: each of its requests and replies is a point for the scheduler. */
  through<Store extends object>(name: string, store: Store, keyOf: (method: string, args: unknown[]) => string): Store {
    const methods = Object.keys(store).map((method) => [
      method,
      (...args: unknown[]) => {
        const key = `${name}:${keyOf(method, args)}`;
        const act = () => (Reflect.get(store, method) as (...args: unknown[]) => Promise<unknown>)(...args);
        return this.request(`${name}.${method}`, key, act, { isResent: true });
      },
    ]);
    return Object.fromEntries(methods) as Store;
  }

  /** A request whose arrival, reply and loss the scheduler decides. */
  request<Value>(
    label: string,
    key: string,
    act: () => Promise<Value>,
    { isRemote = true, isResent = false } = {},
  ): Promise<Value> {
    return new Promise<Value>((resolve, reject) => {
      const settle = resolve as (value: unknown) => void;
      const state = "sent";
      this.world.requests.push({ process: this, label, key, act, resolve: settle, reject, state, isRemote, isResent });
    });
  }

  /** A point at which other processes may go on, or this one may die. */
  pause(label: string): Promise<void> {
    return this.request(label, `${this.name}:${label}`, async () => undefined, { isRemote: false });
  }

  /** Adds to what it has seen. */
  saw(what: string): void {
    this.history += `;${what}@${this.world.time.now}${this.wallOffsetMs === 0 ? "" : `${this.wallOffsetMs}`}`;
  }
}

/** One run. */
export class World {
  readonly definition: Definition;
  readonly time = new VirtualTime(this);
  readonly processes: Process[] = [];
  readonly requests: Request[] = [];
  /** The events of the run, in words. */
  readonly story: string[] = [];
  /** The events of each call, in the words of docs/models. */
  readonly traces = new Map<string, string[]>();
  /** The process whose code runs now. */
  current: Process | undefined;
  /** The acts on each key so far, in order: the contents of the stores are a function of them. */
  readonly #acts = new Map<string, string>();
  readonly #left: { -readonly [Fault in keyof Faults]-?: number };
  readonly #mains = new Map<Process, (process: Process) => Promise<unknown>>();
  readonly #starting: Process[] = [];
  readonly #endChecks: (() => void)[] = [];
  violation: Violation | undefined;

  constructor(definition: Definition) {
    this.definition = definition;
    const none = {
      crashes: 0,
      lostReplies: 0,
      resends: 0,
      lateRequests: 0,
      lateReplies: 0,
      earlyTimers: 0,
      clockJumps: 0,
      suspensions: 0,
    };
    this.#left = { ...none, ...definition.faults };
  }

  /** Whether a process has died in this run. */
  get hasCrash(): boolean {
    return this.processes.some(({ isDead }) => isDead);
  }

  /** Whether a request arrives, or may arrive, after its process was told that the connection is lost. */
  hasLateRequest = false;

  /** Adds a process. If it dies, another one starts that does the same with what is durable. */
  spawn(name: string, main: (process: Process) => Promise<unknown>): void {
    this.#add(new Process(this, name), main);
  }

  /** Adds a process like {@link spawn}. The code of all with the same role differs in nothing but names. */
  spawnTwin(name: string, role: string, main: (process: Process) => Promise<unknown>): void {
    this.#add(new Process(this, name, role), main);
  }

  #add(process: Process, main: (process: Process) => Promise<unknown>): void {
    this.processes.push(process);
    this.#mains.set(process, main);
    this.#starting.push(process);
  }

  /** Adds a check of the end of the run, which throws a {@link Violation}. */
  atEnd(check: () => void): void {
    this.#endChecks.push(check);
  }

  /** Checks the end of the run. @throws {Violation} if it breaks a promise. */
  checkEnd(): void {
    for (const check of this.#endChecks) check();
  }

  /** Ends the run: a promise is broken. Code under test may catch what is thrown, so it is also remembered. */
  violate(message: string): never {
    this.violation ??= new Violation(message);
    throw this.violation;
  }

  /** Starts the next process that was added. Returns false if all have started. */
  startNext(): boolean {
    const process = this.#starting.shift();
    if (!process) return false;
    this.current = process;
    this.#mains
      .get(process)?.(process)
      .then(
        () => {
          process.isDone = true;
        },
        (error: unknown) => {
          process.isDone = true;
          this.violation ??= error instanceof Violation ? error : new Violation(`${process.name} failed: ${error}`);
        },
      );
    return true;
  }

  /** Records what happened to what: both are part of the world's state. */
  note(key: string, what: string): void {
    this.#acts.set(key, `${this.#acts.get(key) ?? ""}|${what}`);
    this.story.push(what);
  }

  /** Everything that may happen next. */
  steps(): Step[] {
    const left = this.#left;
    const steps: Step[] = [];
    const twins = this.#freshTwins();
    for (const request of this.requests) {
      const { process, label, key } = request;
      if (twins.has(process)) continue;
      const step = (text: string, run: Step["run"]) => steps.push({ label: text, key, run });
      if (request.state === "held") {
        step(`${process.name} gets the late reply of ${label}`, () => this.#reply(request));
        continue;
      }
      if (process.isDead) {
        step(`${label} of the dead ${process.name} arrives`, () => this.#act(request, () => undefined));
        continue;
      }
      if (request.state === "stray") {
        step(`the late ${label} of ${process.name} arrives`, () => this.#act(request, () => undefined));
        continue;
      }
      step(`${process.name}: ${label}`, () => this.#act(request, () => this.#reply(request)));
      if (left.resends > 0 && request.isResent) {
        step(`${process.name}: ${label}, and it is sent again`, () => {
          left.resends -= 1;
          return this.#perform(request).then(
            () => undefined,
            () => undefined,
          );
        });
      }
      if (left.lostReplies > 0 && request.isRemote) {
        const lose = () => {
          left.lostReplies -= 1;
          request.reply = () => this.#answer(request, "reject", new ConnectionLost("connection lost"));
        };
        step(`${process.name}: ${label}, and its reply is lost`, () => {
          lose();
          return this.#act(request, () => this.#reply(request), true);
        });
        step(`${process.name}: ${label} fails on its way`, () => {
          lose();
          this.#reply(request);
        });
      }
      if (left.lateRequests > 0 && request.isRemote) {
        step(`${process.name}: ${label} is late, and its connection is lost`, () => {
          left.lateRequests -= 1;
          this.hasLateRequest = true;
          request.state = "stray";
          this.#tell(request, "reject", new ConnectionLost("connection lost"));
        });
      }
      if (left.lateReplies > 0 && request.isRemote) {
        step(`${process.name}: ${label}, and its reply is late`, () => {
          left.lateReplies -= 1;
          return this.#act(request, () => undefined);
        });
      }
      if (left.crashes > 0) {
        step(`${process.name} dies before ${label} arrives`, () => this.#crash(process));
      }
    }
    const hasOther = steps.length > 0;
    for (const timer of !hasOther || left.earlyTimers > 0 ? this.time.due() : []) {
      const fire = () => {
        if (hasOther) left.earlyTimers -= 1;
        this.#fire(timer);
      };
      steps.push({ label: `${timer.process?.name}: ${Math.round(timer.at)} ms, a timer fires`, key: "", run: fire });
    }
    if (left.suspensions > 0 && hasOther) {
      const suspend = () => {
        left.suspensions -= 1;
        this.time.now += SUSPENDED_MS;
      };
      steps.push({ label: `the machine is suspended for ${SUSPENDED_MS} ms`, key: "", run: suspend });
    }
    if (left.clockJumps > 0 && steps.length > 0) {
      for (const process of this.processes.filter((each) => !each.isDone && !each.isDead && !twins.has(each))) {
        for (const hours of [1, -1]) {
          const jump = () => {
            left.clockJumps -= 1;
            process.wallOffsetMs += hours * 3_600_000;
          };
          steps.push({ label: `the wall clock of ${process.name} jumps by ${hours} h`, key: "", run: jump });
        }
      }
    }
    return steps;
  }

  /** The state that the rest of the run depends on. Equal states have equal futures. */
  get state(): string {
    const processes = this.processes.map(({ name, history, isDone, isDead, wallOffsetMs }) =>
      [name, history, isDone, isDead, wallOffsetMs].join(),
    );
    const acts = [...this.#acts].sort(([one], [other]) => (one < other ? -1 : 1));
    const held = this.requests.filter(({ state, process }) => state !== "sent" || process.isDead);
    const waiting = held.map(({ label, key, process, state }) => `${process.name} ${label} ${key} ${state}`).sort();
    return JSON.stringify([processes, acts, waiting, this.time.now, this.time.pending, Object.values(this.#left)]);
  }

  /**
   * Processes to which nothing has happened, like to an earlier one of their role. What could happen to them first can
   * happen to that one: only the names differ.
   */
  #freshTwins(): ReadonlySet<Process> {
    const fresh = this.processes.filter(({ role, isFresh }) => role !== undefined && isFresh);
    return new Set(fresh.filter(({ role }, index) => fresh.findIndex((each) => each.role === role) < index));
  }

  /** Ends a process: it never runs again. Requests that it has sent may still arrive. Another one takes its place. */
  #crash(process: Process): void {
    this.#left.crashes -= 1;
    process.isDead = true;
    this.time.drop(process);
    const main = this.#mains.get(process);
    if (main) this.spawn(`${process.name}'`, main);
  }

  #fire(timer: ReturnType<VirtualTime["due"]>[number]): void {
    this.time.advanceTo(timer);
    const { process } = timer;
    process?.saw("timer");
    this.current = process;
    timer.run();
  }

  /** Lets a store or a service act, and records that it has. */
  #perform(request: Request): Promise<unknown> {
    const { process, label, key } = request;
    process.hasActed = true;
    const time = this.time.isUsed ? this.time.now : "";
    this.#acts.set(key, `${this.#acts.get(key) ?? ""}|${process.name} ${label} ${time}`);
    // The store acts for no process: its own code is not part of a process.
    this.current = process;
    return request.act();
  }

  #act(request: Request, next: () => void, isLost = false): Promise<void> {
    const isStray = request.state === "stray";
    const arrived = (how: "resolve" | "reject", value: unknown) => {
      request.state = "held";
      if (!isLost) request.reply = () => this.#answer(request, how, value);
      if (request.process.isDead || isStray) this.#remove(request);
      next();
    };
    return this.#perform(request).then(
      (value) => arrived("resolve", value),
      (error: unknown) => arrived("reject", error),
    );
  }

  #reply(request: Request): void {
    request.reply?.();
  }

  #answer(request: Request, how: "resolve" | "reject", value: unknown): void {
    this.#tell(request, how, value);
    this.#remove(request);
  }

  /** Ends what the process waits for. */
  #tell(request: Request, how: "resolve" | "reject", value: unknown): void {
    const { process, label, key } = request;
    if (process.isDead) return;
    // A process may have given up one of two equal requests.
    const equal = this.requests.filter((each) => each.process === process && each.label === label && each.key === key);
    const number = equal.length > 1 ? ` ${equal.indexOf(request)}` : "";
    process.saw(`${label} ${key}${number}=${how === "reject" ? `!${value}` : written(value)}`);
    this.current = process;
    request[how](value);
  }

  #remove(request: Request): void {
    this.requests.splice(this.requests.indexOf(request), 1);
  }
}

function written(value: unknown): string {
  if (value instanceof Response) return `${value.status} ${value.headers.get("retry-after") ?? ""}`;
  return JSON.stringify(value) ?? "";
}
