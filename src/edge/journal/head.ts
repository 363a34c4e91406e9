import { closeSync, existsSync, fdatasyncSync, openSync, readFileSync, writeSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { writeFileAtomically } from '#edge/write-file.ts';
import type { Head } from './format.ts';

export const headPath = (journal: string): string => `${journal}-head`;

/** One place for each of two lines, in sectors of their own: a torn write leaves the other one. */
const places = [0, 512] as const;
const wholeSize = 1024;

function lineOf({ revision, digest }: Head): string {
  const text = `boathook journal head ${revision} ${digest}`;
  return `${text} ${crc32(text)}\n`.padEnd(80, ' ');
}

function headOf(line: string): Head | undefined {
  const match = /^boathook journal head (\d+) (\d+) (\d+)\n/.exec(line);
  if (match === null) return undefined;
  const head = { revision: Number(match[1]), digest: Number(match[2]) };
  return lineOf(head).startsWith(match[0]) ? head : undefined;
}

/** The newest head that a file holds; `damaged` when it holds none. */
export function readHead(journal: string): Head | 'missing' | 'damaged' {
  const path = headPath(journal);
  if (!existsSync(path)) return 'missing';
  const text = readFileSync(path, 'latin1');
  const heads = places.map((place) => headOf(text.slice(place))).filter((head) => head !== undefined);
  return heads.toSorted((left, right) => right.revision - left.revision)[0] ?? 'damaged';
}

/** Writes a head for a journal that is not open. */
export function placeHead(journal: string, head: Head): void {
  const content = lineOf(head).padEnd(places[1], ' ') + lineOf(head);
  writeFileAtomically(headPath(journal), content.padEnd(wholeSize, ' '), 0o600);
}

/**
 * How far the journal reaches, in a file of its own: a journal that lost its end is found out at the next start.
 * It is written after every commit and made durable in quiet moments only. An old head is harmless: it never
 * claims what was not on disk before.
 */
export class HeadFile {
  readonly #file: number;
  #head: Head;
  #turn = 0;
  #isWritten = true;
  #isDurable = true;

  /** The file is there already. */
  constructor(journal: string, head: Head) {
    this.#file = openSync(headPath(journal), 'r+');
    this.#head = head;
  }

  /** Never fails: what is not written now is written with the next head, or by `sync`. */
  advance(head: Head): void {
    this.#head = head;
    this.#isDurable = false;
    try {
      this.#write();
    } catch {
      this.#isWritten = false;
    }
  }

  sync(): void {
    if (!this.#isWritten) this.#write();
    if (!this.#isDurable) fdatasyncSync(this.#file);
    this.#isDurable = true;
  }

  close(): void {
    closeSync(this.#file);
  }

  #write(): void {
    this.#turn = 1 - this.#turn;
    writeSync(this.#file, lineOf(this.#head), places[this.#turn]);
    this.#isWritten = true;
  }
}
