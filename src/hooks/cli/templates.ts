import { hookTemplate, type HookTemplate } from '#hooks/kinds/hook-template.ts';
import { objectSchema } from '#schema/kind/crd.ts';
import { decoderOf } from '#schema/kind/read-object.ts';
import { isObject, textAt, type Json } from '#base/json.ts';
import { lintTemplate } from '#hooks/decide/lint.ts';
import type { Finding } from '#hooks/providers/wire/finding.ts';
import { shortSecrets } from '#hooks/decide/short-secrets.ts';
import { compileSchema } from '#schema/structural/compile-schema.ts';
import { ExitError } from '#command/exit.ts';
import { patternProblem } from './pattern-words.ts';
import { readLocatedObjects, type LocatedObject } from '#command/located-objects.ts';
import { shownFile } from '#command/read-text.ts';

/** A template of a file and its findings; the template is undefined if it does not match the schema. */
export type ReadTemplate = {
  readonly name: string;
  readonly file: string;
  /** The line of a field, from 1. */
  readonly lineOf: LocatedObject['lineOf'];
  readonly template: HookTemplate | undefined;
  readonly findings: readonly Finding[];
};

const fields = objectSchema(hookTemplate);
const schema = compileSchema(fields);
const decode = decoderOf(hookTemplate, compileSchema);

/** All templates of a file or folder. Secrets are checked for their length; other kinds are ignored. */
export function readTemplates(filename: string): readonly ReadTemplate[] {
  const objects = readLocatedObjects([filename]);
  const documents = objects.map(({ value }) => value);
  const templates = objects.filter(({ value }) => textAt(value, 'kind') === hookTemplate.kind);
  if (templates.length > 0)
    return templates.map(({ file, lineOf, value }) => ({ file, lineOf, ...readTemplate(value, documents) }));
  const kinds = documents.map((document) => textAt(document, 'kind') ?? 'something without a kind');
  const found = kinds.length === 0 ? 'it is empty' : `it has ${kinds.join(', ')}`;
  throw new ExitError(2, `${shownFile(filename)} has no ${hookTemplate.kind}: ${found}`);
}

function readTemplate(document: Json, documents: readonly Json[]): Omit<ReadTemplate, 'file' | 'lineOf'> {
  const name = textAt(document, 'metadata', 'name') ?? '(without a name)';
  const unknown = isObject(document) ? schema.unknownFieldPaths(document) : [];
  const strange = unknown.map((path) => asError(path, 'is not a known field'));
  const decoded = decode(document);
  if (decoded.type === 'refused') {
    // An error without a field only reports that rules are not checked before the fields are valid.
    const named = decoded.errors.filter(({ field }) => field !== '<nil>');
    const shown = named.length === 0 ? decoded.errors : named;
    const wrong = shown.map(({ field, message }) =>
      asError(field, patternProblem(fields, document, field) ?? message),
    );
    return { name, template: undefined, findings: [...strange, ...wrong] };
  }
  const { object } = decoded;
  return {
    name,
    template: object,
    findings: [...strange, ...lintTemplate(object), ...shortSecrets(object, documents)],
  };
}

const asError = (path: string, message: string): Finding => ({ severity: 'error', path, message });
