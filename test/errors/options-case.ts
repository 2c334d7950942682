type Fields = Readonly<Record<string, unknown>>;

/** A public function that takes options. */
export interface OptionsCase {
  /** Calls it. Options are handed over as a JavaScript program may, whatever the types say. */
  readonly call: (options: never) => unknown;
  /** Options that it accepts. */
  readonly good: Fields;
  /** One that it doesn't. */
  readonly wrong: Fields;
  /** Whether your program chooses the names: a Proxy has to list them, and no name is unknown. */
  readonly isDictionary?: true;
  /** Whether an object of a class may have other fields, for its state. */
  readonly mayHaveState?: true;
}
