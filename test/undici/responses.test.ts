import { describe, expect, test } from "vitest";
import { answer, ends, wireServer, writes } from "../faults/wire.js";
import { settle } from "../support/clock.js";
import { serve } from "../support/ports.js";
import { FETCHES, OURS } from "./both.js";

/** The address of a server that writes these bytes. */
async function playing(bytes: string | Uint8Array, use: (url: string) => Promise<void>): Promise<void> {
  const server = await wireServer(() => writes(bytes));
  try {
    await use(`${server.address}/path?query=1#fragment`);
  } finally {
    await server.close();
  }
}

describe.each(FETCHES)("a response of %s", (_, fetch) => {
  test("is a Response with its status, reason phrase, URL and headers", async () => {
    await playing(answer(201, "made", "content-type: text/plain", "x-one: 1", "x-one: 2"), async (url) => {
      const response = await fetch(url);
      expect(response).toBeInstanceOf(Response);
      expect(response).toMatchObject({ status: 201, statusText: "Played", ok: true, redirected: false, type: "basic" });
      expect(response.url).toBe(url.replace("#fragment", ""));
      expect(response.headers.get("x-one")).toBe("1, 2");
      expect(Object.prototype.toString.call(response)).toBe("[object Response]");
      expect(response.bodyUsed).toBe(false);
      expect(await response.text()).toBe("made");
      expect(response.bodyUsed).toBe(true);
      await expect(response.text()).rejects.toThrow(TypeError);
    });
  });

  test("keeps each set-cookie separate", async () => {
    await playing(
      answer(200, "", "set-cookie: a=1; Expires=Wed, 01 Jan 2031 00:00:00 GMT", "set-cookie: b=2"),
      async (url) => {
        const { headers } = await fetch(url);
        expect(headers.getSetCookie()).toEqual(["a=1; Expires=Wed, 01 Jan 2031 00:00:00 GMT", "b=2"]);
      },
    );
  });

  test("keeps a header of Latin-1, and one called __proto__", async () => {
    await playing(
      Buffer.from("HTTP/1.1 200 OK\r\nx-name: J\u00fcrgen\r\n__proto__: x\r\ncontent-length: 0\r\n\r\n", "latin1"),
      async (url) => {
        const { headers } = await fetch(url);
        expect(headers.get("x-name")).toBe("J\u00fcrgen");
        expect(headers.get("__proto__")).toBe("x");
      },
    );
  });

  test.each([204, 205, 304])("has no body if its status is %i", async (status) => {
    await playing(`HTTP/1.1 ${status} None\r\n${status === 205 ? "content-length: 0\r\n" : ""}\r\n`, async (url) => {
      const response = await fetch(url);
      expect(response).toMatchObject({ status, body: null, bodyUsed: false });
      expect(await response.text()).toBe("");
    });
  });

  test("has no body if the request was a HEAD", async () => {
    await playing("HTTP/1.1 200 OK\r\ncontent-length: 99\r\ncontent-encoding: gzip\r\n\r\n", async (url) => {
      const response = await fetch(url, { method: "HEAD" });
      expect(response.headers.get("content-length")).toBe("99");
      expect(await response.text()).toBe("");
    });
  });

  test("may have no reason phrase", async () => {
    await playing("HTTP/1.1 200\r\ncontent-length: 2\r\n\r\nok", async (url) => {
      const response = await fetch(url);
      expect(response.statusText).toBe("");
      expect(await response.text()).toBe("ok");
    });
  });

  test.each(["O\u0001K", "J\u00fcrgen"])("may have the odd reason phrase %j", async (phrase) => {
    const bytes = Buffer.from(`HTTP/1.1 200 ${phrase}\r\ncontent-length: 2\r\n\r\nok`, "latin1");
    await playing(bytes, async (url) => {
      const response = await fetch(url);
      expect(response.statusText).toBe(phrase.replace("\u00fc", "\ufffd"));
      expect(await response.clone().text()).toBe("ok");
    });
  });

  test("may have trailers, which are ignored", async () => {
    await playing(
      "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\ntrailer: x-sum\r\n\r\n2\r\nok\r\n0\r\nx-sum: 1\r\n\r\n",
      async (url) => {
        const response = await fetch(url);
        expect(await response.text()).toBe("ok");
        expect(response.headers.has("x-sum")).toBe(false);
      },
    );
  });

  test.each([600, 999])("may have the unusual status %i", async (status) => {
    await playing(answer(status, "odd"), async (url) => {
      const response = await fetch(url);
      expect(response).toMatchObject({ status, ok: false });
      expect(await response.text()).toBe("odd");
    });
  });

  test.each([301, 302, 303, 307, 308])("is a %i as received, which isn't followed", async (status) => {
    await playing(answer(status, "moved", "location: http://127.0.0.1:9/"), async (url) => {
      const response = await fetch(url);
      expect(response).toMatchObject({ status, redirected: false, type: "basic" });
      expect(response.headers.get("location")).toBe("http://127.0.0.1:9/");
      expect(await response.text()).toBe("moved");
    });
  });

  test("can be cloned, and each copy can be read", async () => {
    await playing(answer(404, '{"a":1}', "content-type: application/json"), async (url) => {
      const response = await fetch(url);
      const copy = response.clone();
      expect(copy).toMatchObject({ status: 404, url: response.url });
      expect(copy).toBeInstanceOf(Response);
      expect(await copy.json()).toEqual({ a: 1 });
      expect(response.bodyUsed).toBe(false);
      expect(await response.json()).toEqual({ a: 1 });
      expect(() => response.clone()).toThrow(TypeError);
    });
  });

  test("is read as bytes, a blob and a form", async () => {
    await playing(answer(200, "a=1&b=2", "content-type: application/x-www-form-urlencoded"), async (url) => {
      expect((await (await fetch(url)).arrayBuffer()).byteLength).toBe(7);
      expect((await (await fetch(url)).bytes()).byteLength).toBe(7);
      expect((await (await fetch(url)).blob()).type).toBe("application/x-www-form-urlencoded");
      expect((await (await fetch(url)).formData()).get("b")).toBe("2");
    });
  });

  test("is read into a buffer of the reader, to its end", async () => {
    await playing(answer(200, "abc"), async (url) => {
      const reader = (await fetch(url)).body?.getReader({ mode: "byob" });
      const first = await reader?.read(new Uint8Array(2));
      expect(first).toMatchObject({ done: false, value: new Uint8Array([97, 98]) });
      expect(await reader?.read(new Uint8Array(2))).toMatchObject({ done: false, value: new Uint8Array([99]) });
      expect((await reader?.read(new Uint8Array(2)))?.done).toBe(true);
    });
  });

  test("arrives before its body has ended, and the body chunk by chunk", async () => {
    let open = () => {};
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    const url = await serve((_request, response) => {
      response.write("first");
      void gate.then(() => response.end("second"));
    });
    const reader = (await fetch(url)).body?.getReader();
    expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe("first");
    open();
    expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe("second");
    expect((await reader?.read())?.done).toBe(true);
  });

  test("rejects with a TypeError with the cause's code if its body is interrupted", async () => {
    const server = await wireServer(() => ends("HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf"));
    const response = await fetch(server.address);
    const error: unknown = await response.text().catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(TypeError);
    expect(error).toMatchObject({ message: "terminated", cause: { code: "UND_ERR_SOCKET" } });
    await server.close();
  });

  test("stops the sender while its body isn't read", async () => {
    let sent = 0;
    const url = await serve((_request, response) => {
      const piece = Buffer.alloc(64 * 1024);
      const more = () => {
        while (sent < 64 * 2 ** 20 && response.write(piece)) sent += piece.byteLength;
      };
      response.on("drain", more);
      more();
    });
    const response = await fetch(url);
    // Whatever flows freely has flowed once many turns of the loop bring no more.
    for (let before = -1; sent !== before; ) {
      before = sent;
      for (let turn = 0; turn < 200; turn += 1) await settle();
    }
    expect(sent).toBeLessThan(48 * 2 ** 20);
    await response.body?.cancel();
  });
});

describe.each(OURS)("unlike the runtime's fetch, %s", (_, fetch) => {
  test("never follows a redirect", async () => {
    await playing(answer(302, "moved", "location: /elsewhere"), async (url) => {
      expect(await fetch(url, { redirect: "follow" })).toMatchObject({ status: 302, redirected: false });
    });
  });

  test.each(["data:,x", "blob:nodedata:1", "ftp://127.0.0.1/"])("doesn't fetch %s", async (url) => {
    await expect(fetch(url)).rejects.toThrow(TypeError);
  });
});
