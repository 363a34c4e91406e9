/** A text that prints as `***` wherever it ends up: in logs, JSON, templates and inspections. */
export class Secret {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  /** The text itself. Call it where the secret is sent, nowhere else. */
  reveal(): string {
    return this.#text;
  }

  toString(): string {
    return '***';
  }

  toJSON(): string {
    return '***';
  }

  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return '***';
  }
}
