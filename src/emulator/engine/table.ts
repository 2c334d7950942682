/** The way in which a record changed. */
export type RecordChange = "created" | "changed" | "deleted";

/**
 * Records of one kind by id, oldest first. A record doesn't change in place: it's replaced, so the table can tell of
 * each change. The exception is `toolkitData`, which tools change.
 */
export class Table<Stored extends object> extends Map<string, Stored> {
  /** Called after each change. */
  onChange: ((id: string, change: RecordChange) => void) | undefined;

  /** Stores a record, in the place of an earlier one with its id. */
  override set(id: string, record: Stored): this {
    const change = this.has(id) ? "changed" : "created";
    super.set(id, record);
    this.onChange?.(id, change);
    return this;
  }

  /** Replaces some fields of a record, and returns the new record. */
  update(id: string, fields: Partial<Stored>): Stored {
    const record = this.get(id);
    if (!record) throw new Error(`There is no record ${id} to update`);
    const updated = { ...record, ...fields };
    this.set(id, updated);
    return updated;
  }

  override delete(id: string): boolean {
    const isDeleted = super.delete(id);
    if (isDeleted) this.onChange?.(id, "deleted");
    return isDeleted;
  }

  /** Replaces all records. The caller tells of it. */
  load(entries: Iterable<readonly [string, Stored]>): void {
    this.clear();
    for (const [id, record] of entries) super.set(id, record);
  }
}
