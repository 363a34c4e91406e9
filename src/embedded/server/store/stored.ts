import { parseJson, printJson } from '#base/json-text.ts';
import { endOfString } from '#base/json-depth.ts';
import type { Instant } from '#base/time.ts';
import type { KubeObject } from '#kube/object.ts';
import { labelsOf } from '#kube/object.ts';
import type { ParsedCaches, ParsedForms } from './parsed-forms.ts';

/** Reads the text of a revision again that memory no longer holds. */
export type TextSource = (revision: number) => string;

export type StoredText = { readonly key: string; readonly revision: number; readonly json: string };

/**
 * One revision of one object: its JSON text, and lazily what is read from it. The text is spliced into
 * answers as it is, so `kind` and `apiVersion` always come first and `metadata` follows them.
 */
export class Stored {
  readonly key: string;
  readonly revision: number;
  /** Characters of the text. */
  readonly size: number;
  readonly #caches: ParsedCaches;
  #json: string | undefined;
  #source: TextSource | undefined;
  #object: KubeObject | undefined;
  #labels: Readonly<Record<string, string>> | undefined;
  #metaEnd = -1;
  #forms: ParsedForms | undefined;
  #place = 0;

  constructor(caches: ParsedCaches, { key, revision, json }: StoredText, object?: KubeObject) {
    this.key = key;
    this.revision = revision;
    this.size = json.length;
    this.#caches = caches;
    this.#json = json;
    this.#object = object;
    if (object !== undefined) this.#keep(caches.written);
  }

  get json(): string {
    return this.#json ?? this.#source?.(this.revision) ?? '';
  }

  /** Frees the text, which is read again on demand. */
  forgetText(source: TextSource): void {
    this.#json = undefined;
    this.#source = source;
  }

  get object(): KubeObject {
    if (this.#object !== undefined) return this.#object;
    this.#keep(this.#json === undefined ? this.#caches.cold : this.#caches.read);
    return (this.#object = parseJson(this.json) as KubeObject);
  }

  get labels(): Readonly<Record<string, string>> {
    this.#labels ??= labelsOf(this.object);
    return this.#labels;
  }

  get namespace(): string {
    return this.key.slice(0, this.key.indexOf('/'));
  }

  get name(): string {
    return this.key.slice(this.key.indexOf('/') + 1);
  }

  /** The text of `metadata`, cut out of the JSON. */
  get metaText(): string {
    const { json } = this;
    const start = json.indexOf('"metadata":') + 11;
    if (this.#metaEnd < 0) this.#metaEnd = endOfObject(json, start);
    return json.slice(start, this.#metaEnd);
  }

  /** The same revision with another content: another version, or the last state of a removed object. */
  with(object: KubeObject): Stored {
    const { key, revision } = this;
    return new Stored(this.#caches, { key, revision, json: storedText(object) }, object);
  }

  /** Frees the parsed form, which is made again on demand. */
  forgetObject(): void {
    this.#object = undefined;
    this.#forms?.leave(this, this.#place);
    this.#forms = undefined;
  }

  #keep(forms: ParsedForms): void {
    this.#forms = forms;
    this.#place = forms.add(this);
  }
}

/** The text under which an object is stored and served. Written by hand: JSON puts names that are numbers first. */
export function storedText(object: KubeObject): string {
  const { kind = '', apiVersion = '', metadata = {}, ...rest } = object;
  const head = `{"kind":${printJson(kind)},"apiVersion":${printJson(apiVersion)}`;
  const others = printJson(rest).slice(1);
  return `${head},"metadata":${printJson(metadata)}${others === '}' ? '' : ','}${others}`;
}

function endOfObject(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x22) {
      at = endOfString(text, at);
    } else if (code === 0x7b) {
      depth += 1;
    } else if (code === 0x7d) {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return text.length;
}

/** What happened to one object. `after` of a deletion is the last state at the revision of the deletion. */
export type StoredChange = {
  readonly resource: string;
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly before: Stored | undefined;
  readonly after: Stored;
  readonly at: Instant;
  /** Encoded forms, shared by all watchers with the same format. */
  lines: Map<string, string> | undefined;
};
