import { seedOf } from "../../shared/random.js";
import type { NameRule } from "./targets.js";

/** The names that a target takes for those it rejects, and the way back. */
export type Aliases = ReturnType<typeof aliasesFor>;

const HASH_LENGTH = 6;

/**
 * Aliases for the names that break a rule. An alias follows from the name alone, so every process makes the same one,
 * unless it collides with another name: then the order of the sorted names decides.
 */
export function aliasesFor(names: Iterable<string>, rule: NameRule | undefined) {
  const aliases = new Map<string, string>();
  const originals = new Map<string, string>();
  const taken = new Set(names);
  const rejected = rule ? [...taken].filter((name) => !rule.legal.test(name)).sort() : [];
  for (const name of rejected) {
    let alias = name;
    for (let turn = 0; taken.has(alias); turn++) alias = shortened(name, rule, turn);
    taken.add(alias);
    aliases.set(name, alias);
    originals.set(alias, name);
  }
  return {
    aliasOf: (name: string) => aliases.get(name) ?? name,
    /** The original of an alias; the name itself if it isn't one. */
    nameOf: (alias: string) => originals.get(alias) ?? alias,
    areUsed: aliases.size > 0,
  };
}

function shortened(name: string, rule: NameRule | undefined, turn: number): string {
  if (!rule) return name;
  const hash = hashOf(turn === 0 ? name : `${name}\0${turn}`);
  const kept = name.replace(rule.illegal, "_").slice(0, rule.length - HASH_LENGTH - 2);
  const alias = `${kept}_${hash}`;
  return rule.legal.test(alias) ? alias : `_${alias}`;
}

/** It only keeps most aliases apart: those that collide are told apart by their turn. */
function hashOf(text: string): string {
  return (seedOf(text) >>> 0).toString(16).padStart(8, "0").slice(-HASH_LENGTH);
}
