import { createHash } from 'node:crypto';
import { createReadStream, openSync, closeSync, readSync, statSync } from 'node:fs';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';

const block = 512;

/** A regular file of a tar archive; links and devices are passed over. */
export type ArchiveEntry = {
  readonly path: string;
  readonly mode: number;
  readonly size: number;
  /** `sha256:` and hex digits. */
  readonly digest: string;
  readonly interpreter: boolean;
};

type Header = { readonly path: string; readonly mode: number; readonly size: number };

/** Receives the content of one file. */
type Sink = { write(piece: Buffer): void; end(): void };

const listings = new Map<string, Promise<readonly ArchiveEntry[]>>();

/** The files of an archive, compressed or not. Cached until the archive changes. */
export function listArchive(archive: string): Promise<readonly ArchiveEntry[]> {
  const { mtimeMs, size, ino } = statSync(archive);
  const key = JSON.stringify([archive, mtimeMs, size, ino]);
  const known = listings.get(key);
  if (known !== undefined) return known;
  const listing = readListing(archive);
  listings.set(key, listing);
  return listing;
}

async function readListing(archive: string): Promise<readonly ArchiveEntry[]> {
  const entries: ArchiveEntry[] = [];
  await readArchive(archive, ({ path, mode, size }) => {
    const hash = createHash('sha256');
    let beginning = '';
    return {
      write(piece) {
        if (beginning.length < 2) beginning += piece.toString('latin1', 0, 2);
        hash.update(piece);
      },
      end() {
        const digest = `sha256:${hash.digest('hex')}`;
        entries.push({ path, mode, size, digest, interpreter: beginning.startsWith('#!') });
      },
    };
  });
  return entries;
}

/** The content of a regular file in an archive; undefined when there is none of this name. */
export async function readArchived(archive: string, name: string): Promise<Buffer | undefined> {
  let found: Buffer | undefined;
  await readArchive(archive, ({ path }) =>
    path === name ? gathered((content) => (found = content)) : undefined,
  );
  return found;
}

/** Reads an archive from start to end. The visitor returns a receiver for the content of a file, or undefined. */
export async function readArchive(
  archive: string,
  visit: (header: Header) => Sink | undefined,
): Promise<void> {
  const input = createReadStream(archive);
  const stream = isPacked(archive)
    ? pipeline(input, createGunzip(), () => undefined)
    : (input as NodeJS.ReadableStream);
  const reader = new TarReader(visit);
  for await (const piece of stream as AsyncIterable<Buffer>) reader.push(piece);
  reader.end(archive);
}

function isPacked(archive: string): boolean {
  const file = openSync(archive, 'r');
  try {
    const magic = Buffer.alloc(2);
    return readSync(file, magic, 0, 2, 0) === 2 && magic[0] === 0x1f && magic[1] === 0x8b;
  } finally {
    closeSync(file);
  }
}

/** Names of more than 100 letters stand in entries of their own: GNU's `L`, and `path` of a pax header. */
const longestName = 1024 * 1024;

class TarReader {
  #pending: Buffer = Buffer.alloc(0);
  #left = 0;
  #padding = 0;
  #sink: Sink | undefined;
  #isOver = false;
  #longName = '';
  readonly #visit: (header: Header) => Sink | undefined;

  constructor(visit: (header: Header) => Sink | undefined) {
    this.#visit = visit;
  }

  push(piece: Buffer): void {
    this.#pending = this.#pending.length === 0 ? piece : Buffer.concat([this.#pending, piece]);
    while (!this.#isOver && this.#pending.length > 0) {
      if (this.#left > 0) this.#content();
      else if (this.#padding > 0) this.#padding -= this.#take(this.#padding).length;
      else if (this.#pending.length < block) return;
      else this.#begin(this.#take(block));
    }
    if (this.#isOver) this.#pending = Buffer.alloc(0);
  }

  end(archive: string): void {
    if (this.#left > 0) throw new Error(`${archive} ends in the middle of a file`);
  }

  #take(size: number): Buffer {
    const part = this.#pending.subarray(0, size);
    this.#pending = this.#pending.subarray(part.length);
    return part;
  }

  #content(): void {
    const part = this.#take(this.#left);
    this.#sink?.write(part);
    this.#left -= part.length;
    if (this.#left === 0) this.#finish();
  }

  #begin(header: Buffer): void {
    this.#isOver = header[0] === 0;
    if (this.#isOver) return;
    const size = octal(header, 124, 12);
    const type = String.fromCharCode(header[156] ?? 0);
    this.#left = size;
    this.#padding = (block - (size % block)) % block;
    if ((type === 'L' || type === 'x') && size < longestName)
      this.#sink = gathered((content) => (this.#longName = nameIn(type, content)));
    else {
      const path = (this.#longName === '' ? pathOf(header) : this.#longName).replace(/^(?:\.\/)+/, '');
      this.#longName = '';
      const isFile = type === '0' || type === '\0';
      this.#sink = isFile ? this.#visit({ path, mode: octal(header, 100, 8), size }) : undefined;
    }
    if (size === 0) this.#finish();
  }

  #finish(): void {
    this.#sink?.end();
    this.#sink = undefined;
  }
}

function gathered(use: (content: Buffer) => void): Sink {
  const pieces: Buffer[] = [];
  return { write: (piece) => void pieces.push(Buffer.from(piece)), end: () => use(Buffer.concat(pieces)) };
}

function nameIn(type: string, content: Buffer): string {
  if (type === 'L') return textAt(content, 0, content.length);
  return /(?:^|\n)\d+ path=([^\n]*)\n/.exec(content.toString('utf8'))?.[1] ?? '';
}

function pathOf(header: Buffer): string {
  const prefix = textAt(header, 345, 155);
  return (prefix === '' ? '' : `${prefix}/`) + textAt(header, 0, 100);
}

const octal = (buffer: Buffer, start: number, length: number): number =>
  Number.parseInt(textAt(buffer, start, length), 8) || 0;

function textAt(buffer: Buffer, start: number, length: number): string {
  const part = buffer.subarray(start, start + length);
  const end = part.indexOf(0);
  return part.toString('utf8', 0, end < 0 ? part.length : end).trim();
}
