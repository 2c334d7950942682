/** Data of an operation that created something where it might have found it: the answer is 201 instead of 200. */
export class Created<Data> {
  readonly data: Data;

  constructor(data: Data) {
    this.data = data;
  }
}
