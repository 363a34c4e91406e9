import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

const block = 512;

type Entry = { readonly path: string; readonly mode: number; readonly content: Buffer };

/** A regular file in a tar archive, packed or not; undefined when there is none of this name. */
export function readArchived(archive: string, name: string): Entry | undefined {
  const raw = readFileSync(archive);
  const data = raw[0] === 0x1f && raw[1] === 0x8b ? gunzipSync(raw) : raw;
  const wanted = name.replace(/^\/+/, '');
  for (const entry of regularFiles(data)) if (entry.path.replace(/^\.\//, '') === wanted) return entry;
  return undefined;
}

function* regularFiles(data: Buffer): Generator<Entry> {
  let longName = '';
  for (let at = 0; at + block <= data.length && data[at] !== 0;) {
    const header = data.subarray(at, at + block);
    const size = octal(header, 124, 12);
    const content = data.subarray(at + block, at + block + size);
    const type = String.fromCharCode(header[156] ?? 0);
    // GNU tar puts a name of more than 100 letters into an entry of its own.
    const path = longName === '' ? pathOf(header) : longName;
    longName = type === 'L' ? textAt(content, 0, size) : '';
    if (type === '0' || type === '\0') yield { path, mode: octal(header, 100, 8), content };
    at += block + Math.ceil(size / block) * block;
  }
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
