import { remember } from "../shared/bounded-memory.js";
import { ownerOf } from "../shared/client-owner.js";

/**
 * A value for each conversation in this process, by the client that its toolsets come from: one toolset per request is
 * common.
 */
export class ConversationMemory<Value> {
  readonly #byOwner = new WeakMap<object, Map<string, Value>>();
  readonly #create: () => Value;
  readonly #most: number;

  /** @param most - Maximum number of conversations of one client. The oldest are forgotten. */
  constructor(create: () => Value, most: number) {
    this.#create = create;
    this.#most = most;
  }

  /** The value of a conversation. Without a conversation, a new one, which belongs to one toolset. */
  of(source: object, conversation: string | undefined): Value {
    if (conversation === undefined) return this.#create();
    const owner = ownerOf(source) ?? source;
    const known = this.#byOwner.get(owner) ?? new Map<string, Value>();
    this.#byOwner.set(owner, known);
    return remember(known, conversation, known.get(conversation) ?? this.#create(), this.#most);
  }
}
