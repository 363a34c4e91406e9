import { joinBytes } from './byte-reader.ts';

export type OutputLimits = { readonly outputLimit: number; readonly tailLimit: number };

/** A stream of a job: its beginning is passed on as it comes, of what is printed later the last bytes at the end. */
export class CappedOutput {
  readonly #limits: OutputLimits;
  readonly #pass: (bytes: Uint8Array) => void;
  #passed = 0;
  #tail = new Uint8Array();
  #isCut = false;

  constructor(limits: OutputLimits, pass: (bytes: Uint8Array) => void) {
    this.#limits = limits;
    this.#pass = pass;
  }

  print(text: string): void {
    const bytes = new TextEncoder().encode(text);
    const { outputLimit, tailLimit } = this.#limits;
    const now = bytes.subarray(0, Math.max(0, outputLimit - this.#passed));
    this.#passed += now.length;
    if (now.length > 0) this.#pass(now);
    if (now.length === bytes.length) return;
    this.#isCut = true;
    this.#tail = joinBytes([this.#tail, bytes.subarray(now.length)]).slice(-tailLimit);
  }

  end(): void {
    if (!this.#isCut) return;
    const note = `\n[boathook: more than ${this.#limits.outputLimit} bytes were printed; what follows is the last of it]\n`;
    this.#pass(new TextEncoder().encode(note));
    this.#pass(this.#tail);
  }
}
