import { objectAt, type JsonObject } from '#base/json.ts';
import { invalid, type FieldError } from '#kube/field-error.ts';
import { atMostCharacters } from '#kube/names.ts';
import { nameOf } from '#kube/object.ts';
import { checkRows, needed, neededWord, notNegative, type FieldCheck, type FieldRow } from './checks.ts';
import { editMember, specOf, textOf, withMissing } from '#base/json-edit.ts';
import { checkJobSpec } from './job-checks.ts';
import { kindRules, type KindRules } from './kind-rules.ts';
import { defaultTemplate } from './pod-defaults.ts';
import { statusRules, zeroStatus } from './status-rules.ts';

const specDefaults: JsonObject = {
  concurrencyPolicy: 'Allow',
  suspend: false,
  successfulJobsHistoryLimit: 3,
  failedJobsHistoryLimit: 1,
};

const defaultJobTemplate = (template: JsonObject): JsonObject => {
  const meta = editMember(template, 'metadata', (metadata) =>
    withMissing(metadata, { creationTimestamp: null }),
  );
  return editMember(meta, 'spec', (spec) => editMember(spec, 'template', defaultTemplate));
};

const defaultSpec = (spec: JsonObject): JsonObject =>
  editMember(withMissing(spec, specDefaults), 'jobTemplate', defaultJobTemplate);

const shorthand = /^@(?:yearly|annually|monthly|weekly|daily|midnight|hourly|every .+)$/;

const schedule: FieldCheck = (value, field, errors) => {
  needed(value, field, errors);
  const text = textOf(value);
  if (text === '' || shorthand.test(text)) return;
  if (text.includes('TZ')) {
    const advice = 'cannot use TZ or CRON_TZ in schedule, use timeZone field instead';
    errors.push(invalid(field, text, advice));
  }
  const fields = text.split(/\s+/).filter((each) => each !== '');
  if (text.startsWith('@')) errors.push(invalid(field, text, `unrecognized descriptor: ${text}`));
  else if (fields.length !== 5) {
    const found = `expected exactly 5 fields, found ${fields.length}: [${fields.join(' ')}]`;
    errors.push(invalid(field, text, found));
  }
};

const rows: readonly FieldRow[] = [
  ['schedule', schedule],
  ['startingDeadlineSeconds', notNegative],
  ['concurrencyPolicy', neededWord('Allow', 'Forbid', 'Replace')],
];
const limits: readonly FieldRow[] = [
  ['successfulJobsHistoryLimit', notNegative],
  ['failedJobsHistoryLimit', notNegative],
];

function check(cron: JsonObject): FieldError[] {
  const spec = specOf(cron);
  const errors: FieldError[] = [];
  checkRows(spec, 'spec', rows, errors);
  checkJobSpec(objectAt(spec, 'jobTemplate', 'spec') ?? {}, 'spec.jobTemplate.spec', errors);
  checkRows(spec, 'spec', limits, errors);
  return errors;
}

/** The controller appends eleven characters to the name of each job. */
function checkNew(cron: JsonObject): FieldError[] {
  const errors = check(cron);
  const name = nameOf(cron);
  if (name.length > 52) errors.push(invalid('metadata.name', name, atMostCharacters(52)));
  return errors;
}

export const cronJobRules: KindRules = kindRules({
  ...statusRules(zeroStatus('io.k8s.api.batch.v1.CronJobStatus')),
  defaults: (cron) => editMember(cron, 'spec', defaultSpec),
  validateCreate: checkNew,
  validateUpdate: (cron, old) => (cron['spec'] === old['spec'] ? [] : check(cron)),
  generation: 'spec',
});
