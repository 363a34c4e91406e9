import { readFileSync } from 'node:fs';
import { isObject, type Json } from '#base/json.ts';
import { ExitError } from '#command/exit.ts';
import { withoutComments } from '#machines/decide/comments.ts';
import type { Documents } from '#machines/decide/documents.ts';
import { parseYaml, YamlInvalid } from '#edge/yaml.ts';

/** Fields that are always strings: a password may consist of digits. */
const texts: ReadonlySet<string> = new Set(['username', 'password', 'passPhrase']);

/** A file's documents: JSON, YAML, or either with `//` comments. */
export function readDocuments(file: string): Documents {
  const text = readText(file);
  try {
    const documents = parseYaml(cleaned(text), texts);
    if (documents.length === 0) throw new ExitError(2, `${file} is empty`);
    const other = documents.find((document) => !isObject(document));
    if (other !== undefined) throw new ExitError(2, `${file} is neither a TKEStack object nor an eggo file`);
    return { file, documents };
  } catch (error) {
    if (error instanceof YamlInvalid) throw new ExitError(2, `${file}: ${withoutContent(error.message)}`);
    throw error;
  }
}

/** An error does not quote the file: the text at the fault may be a password. */
const withoutContent = (message: string): string =>
  message
    .replaceAll(/:?\s*(?:"(?:[^"\\]|\\.)*"|'[^']*')/g, ' …')
    .replace(/(JSON has no value for) .*/s, '$1 …');

/** A Kubernetes object in proper YAML may well have `//` in its texts. */
const cleaned = (text: string): string => (/^apiVersion:/m.test(text) ? text : withoutComments(text));

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new ExitError(2, `${file} cannot be read: ${(error as Error).message}`);
  }
}

/** The value at a JSON pointer of a file's documents, for secrets. */
export function atPointer(file: string, pointer: string): Json | undefined {
  const { documents } = readDocuments(file);
  let current: Json | undefined = documents.length === 1 ? documents[0] : documents;
  for (const key of pointer.split('/').slice(1)) {
    if (typeof current !== 'object' || current === null) return undefined;
    current = (current as Readonly<Record<string, Json>>)[key.replaceAll('~1', '/').replaceAll('~0', '~')];
  }
  return current;
}
