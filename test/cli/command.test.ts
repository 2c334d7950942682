import { describe, expect, test, vi } from "vitest";
import {
  type Command,
  declareCommand,
  helpOf,
  linesOf,
  parsedCommandLine,
  runCommand,
  UsageError,
} from "../../src/cli/command.js";
import { connect } from "../../src/cli/connect.js";
import { slugsIn } from "../../src/cli/read-value.js";
import { rejection } from "../support/client.js";
import { testTerminal } from "./run.js";
import { emulated } from "./setups.js";

const BAKE = declareCommand({
  usage: [["[options]", "bake a cake"]],
  options: {
    out: { type: "string", short: "o", value: "file", summary: "where to write" },
    layers: { type: "string", default: "2", value: "number", summary: "how many layers" },
    json: { type: "boolean", default: false, summary: "print JSON" },
    topping: { type: "string", multiple: true, summary: "what is on it" },
  },
});

/** Runs a command without loading the others. */
async function bake(command: Command, words: readonly string[]) {
  const terminal = testTerminal();
  const code = await runCommand("bake", "bake cakes", command, words, terminal);
  return { code, lines: terminal.printed().stdout.split("\n").slice(0, -1) };
}

/** The message of the error for a command line. */
function problem(command: Command, ...words: string[]): string {
  try {
    parsedCommandLine(command, words);
  } catch (error) {
    expect(error).toBeInstanceOf(UsageError);
    return error instanceof Error ? error.message : "";
  }
  return "";
}

describe("the help of a command", () => {
  test("has its usage, options, variables, notes, exit codes and tables", () => {
    const help = helpOf("bake", "bake cakes", {
      ...BAKE,
      usage: [
        ["", "bake the usual cake"],
        ["<name>", "bake a cake\nof that name"],
      ],
      environment: [["OVEN", "its URL"]],
      notes: "One note.\nAnother note.",
      exitCodes: { 2: "no oven", 3: "burnt" },
      tables: { Sizes: [["small", "6 people"]] },
    });
    expect(help.join("\n")).toBe(`svc-sdk bake: bake cakes

Usage
  svc-sdk bake         bake the usual cake
  svc-sdk bake <name>  bake a cake
                       of that name

Options
  -o, --out <file>   where to write
  --layers <number>  how many layers (default 2)
  --json             print JSON
  --topping          what is on it
  -h, --help         show this help

Environment
  OVEN  its URL

One note.
Another note.

Exit codes
  0  done
  1  error; see the message
  2  no oven
  3  burnt

Sizes
  small  6 people`);
  });

  test("has no section without rows", () => {
    const help = helpOf("bake", "bake cakes", { usage: [], options: {}, tables: { Sizes: [] } });
    expect(help.join("\n")).toBe(`svc-sdk bake: bake cakes

Options
  -h, --help  show this help

Exit codes
  0  done
  1  error; see the message
  2  invalid command line`);
  });

  test("puts the meanings of words in one column", () => {
    expect(
      linesOf([
        ["a", "one\n\ntwo"],
        ["bcd", ""],
      ]),
    ).toEqual(["  a    one", "", "       two", "  bcd"]);
  });
});

describe("a command line", () => {
  test("has the values of options, and of those it doesn't name the defaults", () => {
    const words = ["-o", "x", "--json", "--topping", "nuts", "--topping=figs"];
    expect({ ...parsedCommandLine(BAKE, words).values }).toEqual({
      out: "x",
      layers: "2",
      json: true,
      topping: ["nuts", "figs"],
      help: false,
    });
    expect(parsedCommandLine(BAKE, ["-h"]).values["help"]).toBe(true);
    expect(parsedCommandLine(BAKE, ["--json", "--no-json"]).values).toMatchObject({ json: false });
  });

  test("has words if the command takes them", () => {
    expect(parsedCommandLine({ ...BAKE, takesArguments: true }, ["a", "--json", "b"]).positionals).toEqual(["a", "b"]);
    expect(problem(BAKE, "a")).toBe("Unexpected argument 'a'. This command does not take positional arguments.");
  });

  test.each(["", " "])("with the argument %j is rejected, because a variable is probably unset", (word) => {
    const command = { ...BAKE, takesArguments: true };
    expect(problem(command, "a", word, "--json")).toBe("An argument is empty. Is a variable unset?");
    const named: Command = { ...command, usage: [["<cake> [oven]", ""]] };
    expect(problem(named, word, "a")).toBe("cake is empty. Is a variable unset?");
    expect(problem(named, "a", word)).toBe("oven is empty. Is a variable unset?");
  });

  test.each([
    [["--layer", "3"], "Unknown option '--layer'. Did you mean --layers?"],
    [["--layer=3"], "Unknown option '--layer'. Did you mean --layers?"],
    [["--candles"], "Unknown option '--candles'."],
    [["-x"], "Unknown option '-x'."],
    [["-layers", "3"], "Unknown option '-l'. Write it with two dashes: --layers."],
    [["-layers=3"], "Unknown option '-l'. Write it with two dashes: --layers."],
    [["--body", "{}"], "Unknown option '--body'. It takes no body."],
    ...["api-key", "TOKEN", "client-secret"].map((name): [string[], string] => [
      [`--${name}`, "x"],
      `Unknown option '--${name}'. Keys can't be passed as options; set SVC_API_KEY.`,
    ]),
    [["--json=yes"], "Option '--json' does not take an argument."],
    [["--out"], "--out needs a value: write --out <value>."],
    [["-o"], "--out needs a value: write --out <value>."],
    [["--out", "--json"], "--out needs a value, but --json follows. Write --out=--json if it is the value."],
    [["--out", "x", "-o", "x"], "--out was given 2 times, but takes one value."],
    [["--layers=1", "--layers=1", "--layers=1"], "--layers was given 3 times, but takes one value."],
    [["--layers", "-o", "x"], "--layers needs a value, but -o follows. Write --layers=-o if it is the value."],
  ])("with %j is rejected with one sentence and what to do", (words, message) => {
    expect(problem(BAKE, ...words)).toBe(message);
    expect(problem({ ...BAKE, takesArguments: true }, ...words)).toBe(message);
  });
});

describe("runCommand", () => {
  test("runs the command with its values, words and terminal, and returns its exit code", async () => {
    const run = vi.fn(async () => 3);
    const terminal = testTerminal();
    const command: Command = { ...BAKE, takesArguments: true, run };
    expect(await runCommand("bake", "bake cakes", command, ["--json", "cake"], terminal)).toBe(3);
    const values = expect.objectContaining({ json: true, layers: "2" });
    expect(run).toHaveBeenCalledExactlyOnceWith(values, ["cake"], terminal);
    expect(terminal.printed().stdout).toBe("");
    expect(await bake({ ...BAKE, run: async () => {} }, [])).toEqual({ code: 0, lines: [] });
  });

  test("prints the help for --help, and of a command that only has others", async () => {
    const lines = helpOf("bake", "bake cakes", BAKE);
    const run = vi.fn(async () => undefined);
    expect(await bake({ ...BAKE, run }, ["--help"])).toEqual({ code: 0, lines });
    expect(run).not.toHaveBeenCalled();
    expect(await bake(BAKE, [])).toEqual({ code: 0, lines });
  });

  test("runs the command that the first word names", async () => {
    const run = vi.fn(async () => undefined);
    const cake: Command = { usage: [], options: { size: { type: "string", summary: "its size" } }, run };
    const command: Command = { ...BAKE, subcommand: (name) => ({ summary: `bake a ${name}`, command: cake }) };
    await bake(command, ["tart", "--size", "6"]);
    expect(run).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ size: "6" }), [], expect.anything());
    expect((await bake(command, ["tart", "-h"])).lines[0]).toBe("svc-sdk bake tart: bake a tart");
    for (const words of [[], ["--help"]]) {
      expect((await bake(command, words)).lines[0]).toBe("svc-sdk bake: bake cakes");
    }
    expect(await rejection(bake(command, ["tart", "--sise=6"]))).toMatchObject({
      message: "Unknown option '--sise'. Did you mean --size? See svc-sdk bake tart --help.",
    });
  });

  test("names its help in an error of the command line, and in no other", async () => {
    const failing = (error: Error): Command => ({ ...BAKE, run: (): Promise<void> => Promise.reject(error) });
    const cause = new Error("no such file");
    const usage = failing(new UsageError("--out must be a file.", { cause }));
    const error = await rejection(bake(usage, []));
    expect(error).toBeInstanceOf(UsageError);
    expect(error).toMatchObject({ message: "--out must be a file. See svc-sdk bake --help.", cause });
    const broken = new Error("the oven is off");
    expect(await rejection(bake(failing(broken), []))).toBe(broken);
  });
});

test("--toolkits are slugs separated by commas", () => {
  expect(slugsIn("--toolkits", undefined)).toBeUndefined();
  expect(slugsIn("--toolkits", " github, slack")).toEqual(["github", "slack"]);
  for (const list of ["", "github,", "github, ,slack"]) {
    expect(() => slugsIn("--toolkits", list)).toThrow(new UsageError("--toolkits must be slugs separated by commas."));
  }
});

describe("the client of a command", () => {
  test.each([undefined, "", "  "])("needs SVC_BASE_URL, and %j isn't one", (url) => {
    expect(() => connect(testTerminal({ env: { SVC_BASE_URL: url } }), false)).toThrow(
      "SVC_BASE_URL isn't set. Set it to the service's URL, or to the URL that svc-sdk emulator prints.",
    );
  });

  test("logs to standard error: warnings, and every request if it's verbose", async () => {
    const { emulator, env } = await emulated();
    const [quiet, verbose, warned] = [testTerminal({ env }), testTerminal({ env }), testTerminal({ env })];
    await connect(quiet, false).tools.listSlugs();
    expect(quiet.printed().stderr).toBe("");
    await connect(verbose, true, { apiVersion: "v3" }).tools.listSlugs();
    expect(verbose.printed().stderr).toContain("tools.listSlugs");
    expect(emulator.requests.map(({ path }) => path.split("/")[2])).toEqual(["v3.1", "v3"]);
    emulator.faults.next("tools.listSlugs", {
      status: 200,
      body: '["A_TOOL"]',
      headers: { "content-type": "application/json", deprecation: "true" },
    });
    await connect(warned, false).tools.listSlugs();
    expect(warned.printed().stderr).toContain("deprecated");
    expect([quiet, verbose, warned].map((terminal) => terminal.printed().stdout)).toEqual(["", "", ""]);
  });
});
