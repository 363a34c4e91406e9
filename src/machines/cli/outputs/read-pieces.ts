import { open, type FileHandle } from 'node:fs/promises';

/** A part of an output: text, and the bytes of the file that it is. */
export type OutputPiece = {
  /** The first byte. */
  readonly offset: number;
  /** The byte after the last. */
  readonly next: number;
  /** The size of the file. */
  readonly size: number;
  readonly text: string;
};

const longestPiece = 256 * 1024;

/** Reads a part of a file, at most 256 KiB and no half character; undefined: there is no file. */
export async function readPiece(
  path: string,
  { offset, end = Infinity, isWhole = true }: PieceWanted,
): Promise<OutputPiece | undefined> {
  const file = await openIfThere(path);
  if (file === undefined) return undefined;
  try {
    const { size } = await file.stat();
    const length = Math.max(0, Math.min(end, size, offset + longestPiece) - offset);
    const bytes = new Uint8Array(length);
    const { bytesRead } = await file.read(bytes, 0, length, offset);
    const read = bytes.subarray(0, bytesRead);
    const isLast = isWhole && offset + bytesRead >= Math.min(end, size);
    const used = isLast ? read : read.subarray(0, read.length - halfCharacter(read));
    return { offset, next: offset + used.length, size, text: new TextDecoder().decode(used) };
  } finally {
    await file.close();
  }
}

export type PieceWanted = {
  readonly offset: number;
  /** The byte after the last that is wanted. */
  readonly end?: number;
  /** Whether nothing follows: then a half character at the end is part of it. */
  readonly isWhole?: boolean;
};

/** Bytes at the end that begin a character of UTF-8 without its rest. */
export function halfCharacter(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) return back < (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) ? back : 0;
  }
  return 0;
}

/** The byte at which the last lines of a file begin. */
export async function startOfTail(path: string, lines: number): Promise<number> {
  const file = await openIfThere(path);
  if (file === undefined) return 0;
  try {
    const { size } = await file.stat();
    return await lineStart(file, size, lines);
  } finally {
    await file.close();
  }
}

async function lineStart(file: FileHandle, size: number, lines: number): Promise<number> {
  if (lines === 0) return size;
  const block = new Uint8Array(64 * 1024);
  // The line feed at the very end ends the last line and begins none.
  let left = lines;
  for (let end = size; end > 0;) {
    const start = Math.max(0, end - block.length);
    const { bytesRead } = await file.read(block, 0, end - start, start);
    for (let at = bytesRead - 1; at >= 0; at -= 1) {
      if (block[at] !== 10 || start + at === size - 1) continue;
      left -= 1;
      if (left === 0) return start + at + 1;
    }
    end = start;
  }
  return 0;
}

/** The first byte from `offset` on that begins a line. Without one near by, the first that begins a character. */
export async function lineAfter(path: string, offset: number): Promise<number> {
  if (offset === 0) return 0;
  const file = await openIfThere(path);
  if (file === undefined) return offset;
  try {
    const block = new Uint8Array(4096);
    const { bytesRead } = await file.read(block, 0, block.length, offset - 1);
    const read = block.subarray(0, bytesRead);
    const feed = read.indexOf(10);
    if (feed >= 0) return offset + feed;
    const start = read.subarray(1).findIndex((byte) => (byte & 0xc0) !== 0x80);
    return start < 0 ? offset : offset + start;
  } finally {
    await file.close();
  }
}

async function openIfThere(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path, 'r');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}
