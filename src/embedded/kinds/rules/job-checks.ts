import { objectAt, type JsonObject } from '#base/json.ts';
import { invalid, notSupported, required, type FieldError } from '#kube/field-error.ts';
import { checkRows, notNegative, optionalWord, type FieldRow } from './checks.ts';
import { textOf } from '#base/json-edit.ts';
import { checkTemplate } from './template-checks.ts';

const rows: readonly FieldRow[] = [
  ['parallelism', notNegative],
  ['completions', notNegative],
  ['activeDeadlineSeconds', notNegative],
  ['backoffLimit', notNegative],
  ['ttlSecondsAfterFinished', notNegative],
  ['backoffLimitPerIndex', notNegative],
  ['maxFailedIndexes', notNegative],
  ['completionMode', optionalWord('NonIndexed', 'Indexed')],
  ['podReplacementPolicy', optionalWord('Failed', 'TerminatingOrFailed')],
];

/** The spec of a job, without its selector: also what a cron job's template has. */
export function checkJobSpec(spec: JsonObject, path: string, errors: FieldError[]): void {
  checkRows(spec, path, rows, errors);
  const indexed = spec['completionMode'] === 'Indexed';
  if (indexed && spec['completions'] === undefined) {
    errors.push(required(`${path}.completions`, 'when completion mode is Indexed'));
  }
  if (!indexed && spec['backoffLimitPerIndex'] !== undefined) {
    const text = 'requires indexed completion mode';
    errors.push(invalid(`${path}.backoffLimitPerIndex`, spec['backoffLimitPerIndex'], text));
  }
  const template = objectAt(spec, 'template') ?? {};
  checkTemplate(template, `${path}.template`, errors);
  const field = `${path}.template.spec.restartPolicy`;
  const policy = textOf(objectAt(template, 'spec')?.['restartPolicy']);
  // Always is the default of a template.
  if (policy === '' || policy === 'Always')
    errors.push(required(field, 'valid values: "OnFailure", "Never"'));
  else if (policy !== 'OnFailure' && policy !== 'Never') {
    errors.push(notSupported(field, policy, ['OnFailure', 'Never']));
  }
}
