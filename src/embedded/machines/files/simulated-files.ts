import { patternSource, type PatternPiece } from './pattern.ts';

export type SimulatedFile = {
  readonly type: 'file';
  /** Undefined when the file is too large to be kept: size and digest are known. */
  readonly content: Uint8Array | undefined;
  readonly size: number;
  /** SHA-256 in hex digits. */
  readonly digest: string;
  readonly mode: number;
};

export type SimulatedEntry = SimulatedFile | { readonly type: 'folder' };

/** Larger files are known by their size and digest. */
export const mostKept = 1024 * 1024;

/** A SHA-256 that is made piece by piece. */
export type NewDigest = () => { update(bytes: Uint8Array): void; hex(): string };

const usual = ['/', '/etc', '/home', '/opt', '/root', '/run', '/tmp', '/usr', '/usr/local', '/usr/local/bin'];
const alsoUsual = ['/var', '/var/lib', '/var/log', '/var/tmp', '/srv', '/mnt'];

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** The files of a simulated machine, in memory. Paths are absolute, or count from a folder. */
export class SimulatedFiles {
  readonly #entries = new Map<string, SimulatedEntry>();
  readonly #newDigest: NewDigest;

  constructor(newDigest: NewDigest) {
    this.#newDigest = newDigest;
    for (const path of [...usual, ...alsoUsual]) this.#entries.set(path, { type: 'folder' });
  }

  digestOf(content: Uint8Array): string {
    const digest = this.#newDigest();
    digest.update(content);
    return digest.hex();
  }

  absolute(path: string, folder = '/'): string {
    const parts: string[] = [];
    for (const part of (path.startsWith('/') ? path : `${folder}/${path}`).split('/')) {
      if (part === '..') parts.pop();
      else if (part !== '' && part !== '.') parts.push(part);
    }
    return `/${parts.join('/')}`;
  }

  entry(path: string, folder?: string): SimulatedEntry | undefined {
    return this.#entries.get(this.absolute(path, folder));
  }

  /** The text of a file; undefined when there is none, or it is too large to be kept. */
  read(path: string, folder?: string): string | undefined {
    const entry = this.entry(path, folder);
    return entry?.type === 'file' && entry.content !== undefined ? decoder.decode(entry.content) : undefined;
  }

  /** Whether it could be written: its folder must exist. */
  write(path: string, text: string, folder?: string): boolean {
    const at = this.absolute(path, folder);
    const before = this.#entries.get(at);
    if (before?.type === 'folder' || this.#entries.get(parentOf(at))?.type !== 'folder') return false;
    this.put(at, encoder.encode(text), before?.mode ?? 0o644);
    return true;
  }

  append(path: string, text: string, folder?: string): boolean {
    const before = this.read(path, folder) ?? '';
    return before.length > mostKept || this.write(path, `${before}${text}`, folder);
  }

  /** Puts a file in place, with the folders above it. */
  put(path: string, content: Uint8Array, mode: number): void {
    const kept = content.length > mostKept ? undefined : content;
    const digest = this.digestOf(content);
    this.set(path, { type: 'file', content: kept, size: content.length, digest, mode });
  }

  set(path: string, file: SimulatedFile): void {
    this.makeFolder(parentOf(path));
    this.#entries.set(path, file);
  }

  makeFolder(path: string, folder?: string): boolean {
    const at = this.absolute(path, folder);
    const entry = this.#entries.get(at);
    if (entry !== undefined) return entry.type === 'folder';
    if (!this.makeFolder(parentOf(at))) return false;
    this.#entries.set(at, { type: 'folder' });
    return true;
  }

  /** Removes a file, or a folder with everything in it. */
  remove(path: string, folder?: string): boolean {
    const at = this.absolute(path, folder);
    if (at === '/') return false;
    for (const below of this.#below(at)) this.#entries.delete(below);
    return this.#entries.delete(at);
  }

  /** Copies a file, or a folder with everything in it. */
  copy(from: string, to: string): boolean {
    const entry = this.#entries.get(from);
    if (entry === undefined || !this.makeFolder(parentOf(to))) return false;
    for (const path of [from, ...this.#below(from)])
      this.#entries.set(`${to}${path.slice(from.length)}`, this.#entries.get(path) ?? entry);
    return true;
  }

  /** Names in a folder, sorted. */
  list(path: string, folder?: string): readonly string[] {
    const at = this.absolute(path, folder);
    const start = at === '/' ? '/' : `${at}/`;
    return this.#below(at)
      .map((each) => each.slice(start.length))
      .filter((name) => !name.includes('/'))
      .toSorted();
  }

  /** Paths that a pattern matches, sorted; as the pattern writes them, absolute or relative. */
  matching(pattern: readonly PatternPiece[], folder: string): readonly string[] {
    const isAbsolute = pattern[0]?.text.startsWith('/') === true;
    const start = isAbsolute ? '' : `${folder === '/' ? '' : folder}/`;
    const whole = new RegExp(`^(?:${patternSource(pattern, '[^/]*')})$`);
    return [...this.#entries.keys()]
      .filter((path) => path.startsWith(start))
      .map((path) => path.slice(start.length))
      .filter((path) => whole.test(path))
      .toSorted();
  }

  #below(path: string): readonly string[] {
    const start = path === '/' ? '/' : `${path}/`;
    return [...this.#entries.keys()].filter((each) => each !== '/' && each.startsWith(start));
  }
}

const parentOf = (path: string): string => path.slice(0, path.lastIndexOf('/')) || '/';
