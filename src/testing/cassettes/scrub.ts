import { type Cassette, type Exchange, jsonOf } from "./cassette.js";
import { mapLeaves } from "./fields.js";
import { Haystack, Pseudonyms } from "./pseudonyms.js";
import { Scrubber } from "./scrubber.js";

/** Exchanges without their credentials and user ids. The same value is replaced in the same way in all of them. */
export class ScrubbedExchanges {
  readonly #names = new Pseudonyms();
  readonly #recorded = new Map<number, { raw: Exchange; haystack: Haystack; scrubbed: Exchange }>();

  /** Adds an exchange. What it reveals is also replaced in the others. */
  add(index: number, raw: Exchange): void {
    const known = this.#names.needles.length;
    new Scrubber(this.#names, []).exchange(raw);
    const revealed = this.#names.needles.slice(known);
    for (const [place, { raw: other, haystack }] of this.#recorded) {
      if (revealed.some((needle) => haystack.mayContain(needle))) this.#scrub(place, other, haystack);
    }
    this.#scrub(index, raw, new Haystack(textOf(raw)));
  }

  toString(): string {
    const exchanges = [...this.#recorded].sort(([one], [other]) => one - other).map(([, { scrubbed }]) => scrubbed);
    return this.#names.numbered(`${JSON.stringify({ cassette: 1, exchanges } satisfies Cassette, null, 2)}\n`);
  }

  #scrub(index: number, raw: Exchange, haystack: Haystack): void {
    const present = this.#names.needles.filter((needle) => haystack.mayContain(needle));
    const scrubbed = new Scrubber(this.#names, present).exchange(raw);
    this.#recorded.set(index, { raw, haystack, scrubbed });
  }
}

/** Everything in an exchange that can contain a value. */
function textOf({ request, response }: Exchange): string {
  const parts = [request.path, ...Object.values(request.headers), ...Object.values(response.headers)];
  for (const recorded of [request, response]) {
    const add = (text: string | number) => parts.push(String(text));
    if (recorded.text !== undefined) add(recorded.text);
    if (recorded.base64 !== undefined) add(Buffer.from(recorded.base64, "base64").toString("latin1"));
    mapLeaves(jsonOf(recorded), { path: "", sent: undefined }, add, (name) => {
      add(name);
      return name;
    });
  }
  return parts.join("\n");
}
