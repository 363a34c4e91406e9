import { equalJson, isObject, objectAt, type Json, type JsonObject } from '#base/json.ts';
import { invalid, type FieldError } from '#kube/field-error.ts';
import { metaOf, nameOf, uidOf, withMeta } from '#kube/object.ts';
import { editMember, specOf, statusFieldOf, withField, withMissing } from '#base/json-edit.ts';
import { goLabelSelector, invalidAs } from '#kube/metadata/go-values.ts';
import { checkJobSpec } from './job-checks.ts';
import { numberField } from './field-values.ts';
import { kindRules, type KindRules } from './kind-rules.ts';
import { defaultTemplate } from './pod-defaults.ts';
import { statusRules, zeroStatus } from './status-rules.ts';
import { checkSelected, checkSelector } from './template-checks.ts';

const specDefaults: JsonObject = {
  parallelism: 1,
  completionMode: 'NonIndexed',
  suspend: false,
  manualSelector: false,
};

function defaultSpec(given: JsonObject): JsonObject {
  const single = given['completions'] === undefined && given['parallelism'] === undefined;
  let spec = withMissing(single ? { ...given, completions: 1 } : given, specDefaults);
  if (spec['backoffLimit'] === undefined) {
    spec = { ...spec, backoffLimit: spec['backoffLimitPerIndex'] === undefined ? 6 : 2_147_483_647 };
  }
  if (spec['podReplacementPolicy'] === undefined) {
    const policy = spec['podFailurePolicy'] === undefined ? 'TerminatingOrFailed' : 'Failed';
    spec = { ...spec, podReplacementPolicy: policy };
  }
  return editMember(spec, 'template', defaultTemplate);
}

const templateLabels = (job: JsonObject): JsonObject | undefined =>
  objectAt(job, 'spec', 'template', 'metadata', 'labels');

function defaultJob(job: JsonObject): JsonObject {
  const result = editMember(job, 'spec', defaultSpec);
  const labels = templateLabels(result);
  if (labels === undefined || metaOf(result)['labels'] !== undefined) return result;
  return withMeta(result, { labels });
}

/** Without `manualSelector` the server generates the selector from the job's uid. */
function generateSelector(job: JsonObject): JsonObject {
  const spec = specOf(job);
  if (spec['manualSelector'] === true) return job;
  const [uid, name] = [uidOf(job), nameOf(job)];
  const before = templateLabels(job);
  const labels = withMissing(before ?? {}, {
    'batch.kubernetes.io/controller-uid': uid,
    'batch.kubernetes.io/job-name': name,
    'controller-uid': uid,
    'job-name': name,
  });
  const template = editMember(specTemplate(spec), 'metadata', (meta) => withField(meta, 'labels', labels));
  const selector = editMember(objectAt(spec, 'selector') ?? {}, 'matchLabels', (match) =>
    withMissing(match, { 'batch.kubernetes.io/controller-uid': uid }),
  );
  const generated = { ...job, spec: { ...spec, selector, template } };
  const own = metaOf(job)['labels'];
  return own === undefined || own === before ? withMeta(generated, { labels }) : generated;
}

const specTemplate = (spec: JsonObject): JsonObject => objectAt(spec, 'template') ?? {};

function check(job: JsonObject): FieldError[] {
  const spec = specOf(job);
  const errors: FieldError[] = [];
  checkJobSpec(spec, 'spec', errors);
  const need = { emptyIsInvalidFor: undefined, unclear: undefined };
  const selector = checkSelector(spec['selector'], need, errors);
  if (selector !== undefined) checkSelected(selector, specTemplate(spec), 'spec.template', errors);
  return errors;
}

const immutable = [
  'completionMode',
  'podFailurePolicy',
  'backoffLimitPerIndex',
  'managedBy',
  'successPolicy',
];

function checkUpdate(job: JsonObject, old: JsonObject): readonly FieldError[] {
  if (job['spec'] === old['spec']) return [];
  const errors = [...check(job), ...check(job)];
  const [spec, before] = [specOf(job), specOf(old)];
  const same = (key: string, value: string): void => {
    if (!equalJson(spec[key], before[key]))
      errors.push(invalidAs(`spec.${key}`, value, 'field is immutable'));
  };
  if (!isElastic(spec, before)) checkImmutable('completions', spec, before, errors);
  same('selector', isObject(spec['selector']) ? goLabelSelector(spec['selector']) : '"null"');
  if (!equalJson(templateFor(spec, before, old), before['template'])) {
    errors.push(invalid('spec.template', spec['template'], 'field is immutable'));
  }
  for (const key of immutable) checkImmutable(key, spec, before, errors);
  return errors;
}

function checkImmutable(key: string, spec: JsonObject, old: JsonObject, errors: FieldError[]): void {
  if (!equalJson(spec[key], old[key]))
    errors.push(invalid(`spec.${key}`, spec[key] ?? 'null', 'field is immutable'));
}

/** An indexed job may grow and shrink as long as it completes as much as it runs. */
const isElastic = (spec: JsonObject, old: JsonObject): boolean =>
  spec['completionMode'] === 'Indexed' &&
  spec['completions'] === spec['parallelism'] &&
  old['completions'] === old['parallelism'];

const schedulingOfPod = ['affinity', 'nodeSelector', 'tolerations', 'schedulingGates'];

/** While a job is suspended and has not started, where its pods run may still change. */
function templateFor(spec: JsonObject, before: JsonObject, old: JsonObject): Json | undefined {
  const template = specTemplate(spec);
  if (before['suspend'] !== true || statusFieldOf(old)['startTime'] !== undefined) return template;
  const oldTemplate = specTemplate(before);
  let pod = objectAt(template, 'spec') ?? {};
  for (const key of schedulingOfPod) pod = withField(pod, key, objectAt(oldTemplate, 'spec')?.[key]);
  let meta = objectAt(template, 'metadata') ?? {};
  for (const key of ['labels', 'annotations'])
    meta = withField(meta, key, objectAt(oldTemplate, 'metadata')?.[key]);
  return { ...template, metadata: meta, spec: pod };
}

const status = statusRules(zeroStatus('io.k8s.api.batch.v1.JobStatus'));

export const jobRules: KindRules = kindRules({
  ...status,
  defaults: defaultJob,
  prepareCreate: (job) => generateSelector(status.prepareCreate?.(job) ?? job),
  validateCreate: check,
  validateUpdate: checkUpdate,
  generation: 'spec',
  metaOnUpdate: 'create-and-update',
  selectableFields: { 'status.successful': numberField('status', 'succeeded') },
});
