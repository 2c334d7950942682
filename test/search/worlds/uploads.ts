// Files of one program's calls: the bytes that were approved are those that are sent.
import { memoryExecutions } from "../../../src/agents/index.js";
import { allow, ask, policy } from "../../../src/agents/policy-entry.js";
import type { Definition } from "../world.js";
import { Desk, toolOf } from "./decisions.js";
import { scripted, thrown } from "./scripted.js";

const SEND = {
  ...toolOf("SEND"),
  input_parameters: {
    type: "object",
    properties: { to: { type: "string" }, file: { type: "object", file_uploadable: true } },
    required: ["to"],
  },
};

export const uploads: readonly Definition[] = [
  scripted("approvals: 1 process, calls with files", async (_, see, world) => {
    const desk = new Desk(world);
    const gate = desk.inbox();
    let letter = "Dear Ada";
    const opened: string[] = [];
    const uploaded: string[] = [];
    const openFile = async ({ source }: { source: string }) => {
      opened.push(source);
      if (source === "secret") throw new Error("This file stays here.");
      return { content: new TextEncoder().encode(letter), filename: source, mimetype: "text/plain" };
    };
    const files = {
      upload: async (content: Uint8Array, { filename }: { filename: string }) => {
        uploaded.push(`${filename} ${new TextDecoder().decode(content)}`);
        return { name: filename, mimetype: "text/plain", s3key: `key/${filename}` };
      },
    };
    const options = { policy: policy([ask({})]), openFile, files } as never;
    const { run, asked } = await desk.toolset(gate, options, [SEND]);
    const args = { to: "a", file: "a.txt" };
    const pending = await asked("a", args, "SEND");
    see(
      "a person reads",
      pending.files.map(({ source, bytes, filename, mimetype, sha256 }) => [
        source,
        bytes,
        filename,
        mimetype,
        sha256.length,
      ]),
      [["a.txt", 8, "a.txt", "text/plain", 64]],
    );
    const token = await gate.approve(pending.id, { approver: "ada" });
    letter = "Dear Eve";
    const changed = await run("a", [token], args, "SEND");
    see("other bytes", [changed.status, uploaded], ["pending", []]);
    letter = "Dear Ada";
    see("another file", (await run("a", [token], { to: "a", file: "b.txt" }, "SEND")).status, "pending");
    opened.length = 0;
    see("these bytes", [(await run("a", [token], args, "SEND")).status, uploaded], ["succeeded", ["a.txt Dear Ada"]]);
    see("opened once", opened, ["a.txt"]);
    const refused = await run("b", [], { to: "b", file: "secret" }, "SEND");
    see("one that isn't opened", [refused.status, refused.text.includes("stays here")], ["not_run", true]);
    const stop = new AbortController();
    const { made } = await desk.toolset(
      gate,
      {
        ...Object(options),
        openFile: () => {
          stop.abort(new Error("stop"));
          throw new Error("It is gone.");
        },
      },
      [SEND],
    );
    const aborted = made.run([{ callId: "c", name: "SEND", arguments: { to: "c", file: "c" } }], {
      signal: stop.signal,
    });
    see("an abort", await thrown(() => aborted), "stop");
    const wide = { approver: "ada", maxUses: 5, when: { to: { present: true } } } as const;
    const withFile = await asked("g", { to: "g", file: "a.txt" }, "SEND");
    see("no condition on a file", (await thrown(() => gate.standing.approve(withFile, wide))) !== "", true);
    const standing = await asked("d", { to: "d" }, "SEND");
    await gate.standing.approve(standing, { approver: "ada", maxUses: 5, when: { to: { present: true } } });
    see("without a file", (await run("e", undefined, { to: "e" }, "SEND")).status, "succeeded");
    see("with one", (await run("f", undefined, { to: "f", file: "a.txt" }, "SEND")).status, "pending");
    see("the service ran", desk.ran, ["SEND a", "SEND e"]);
  }),
  scripted("executions: 1 process, calls with files", async (_, see, world) => {
    const desk = new Desk(world);
    let isDown = true;
    const openFile = async () => ({ content: new Uint8Array(1), filename: "a", mimetype: "text/plain" });
    const files = {
      upload: async () => {
        if (isDown) throw new Error("It is down.");
        return { name: "a", mimetype: "text/plain", s3key: "key" };
      },
    };
    const options = { policy: policy([allow({})]), openFile, files, executions: memoryExecutions() };
    const { run } = await desk.toolset(desk.tokens(), options as never, [SEND]);
    const args = { to: "a", file: "a" };
    see("an upload that fails", (await run("a", undefined, args, "SEND")).status, "not_run");
    isDown = false;
    see("then", (await run("a", undefined, args, "SEND")).status, "succeeded");
    see("the service ran", desk.ran, ["SEND a"]);
  }),
];
