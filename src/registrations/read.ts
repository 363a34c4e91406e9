import { objectSchema } from '#schema/kind/crd.ts';
import { decoderOf } from '#schema/kind/read-object.ts';
import { crdRegistration, type CrdRegistration } from '#registrations/kinds/crd-registration.ts';
import { at, isObject, listAt, numberAt, textAt, type Json, type JsonObject } from '#base/json.ts';
import type { FieldError } from '#kube/field-error.ts';
import { isDeleting, nameOf, uidOf, type KubeObject } from '#kube/object.ts';
import { compileSchema } from '#schema/structural/compile-schema.ts';
import { fromSpecErrors } from './model/from-spec.ts';
import { readHook, defaultResync } from './model/read-hook.ts';
import { readAdded, readPrefix, readRules, readSkipped } from './model/read-parameters.ts';
import { readVolumes } from './model/read-volumes.ts';
import type { ReadRegistration, RegistrationObject, WrittenCondition } from './model/registration-object.ts';
import type { FormFactor, Registration } from './model/registration.ts';
import { parseSpan } from './model/span.ts';
import { plainPath } from './model/spec-path.ts';
import { validateRegistration } from './model/validate-registration.ts';

const known = new WeakMap<KubeObject, RegistrationObject>();

/** Decodes an object. The result is kept for as long as the object. */
export function registrationObject(object: KubeObject): RegistrationObject {
  const before = known.get(object);
  if (before !== undefined) return before;
  const read: RegistrationObject = {
    object,
    name: nameOf(object),
    uid: uidOf(object),
    createdAt: textAt(object, 'metadata', 'creationTimestamp') ?? '',
    isDeleting: isDeleting(object),
    crd: textAt(object, 'spec', 'crd') ?? '',
    conditions: new Map(listAt(object, 'status', 'conditions').map(writtenCondition)),
    spec: readRegistration(object),
  };
  known.set(object, read);
  return read;
}

const writtenCondition = (condition: Json): readonly [string, WrittenCondition] => [
  textAt(condition, 'type') ?? '',
  {
    status: textAt(condition, 'status'),
    reason: textAt(condition, 'reason'),
    message: textAt(condition, 'message'),
  },
];

/** Decodes a registration in any spelling. Checks it like the API server, and further. */
export function readRegistration(object: Json): ReadRegistration {
  const decoded = decode(object);
  const mixed = fromSpecErrors(at(object, 'spec', 'workload', 'parameterConfiguration', 'fromSpec'));
  // `<nil>` reports rules that were skipped because of the other errors.
  if (decoded.type === 'refused')
    return {
      type: 'refused',
      errors: [...decoded.errors.filter(({ field }) => field !== '<nil>'), ...mixed],
    };
  if (mixed.length > 0) return { type: 'refused', errors: mixed };
  const registration = normalForm(decoded.object);
  const errors = [...spanErrors(decoded.object), ...validateRegistration(registration)];
  if (errors.length > 0) return { type: 'refused', errors };
  return { type: 'registration', registration, warnings: warningsOf(object, registration) };
}

const decode = decoderOf(crdRegistration, compileSchema);
const schema = compileSchema(objectSchema(crdRegistration));

function normalForm({ metadata, spec }: CrdRegistration): Registration {
  const { workload, hook, gate } = spec;
  const parameters = workload.parameterConfiguration;
  return {
    ...identityOf(metadata),
    crd: spec.crd,
    form: formOf(workload.formFactor),
    image: workload.fromImage.repo,
    prefix: readPrefix(parameters),
    added: readAdded(parameters),
    volumes: readVolumes(parameters),
    rules: readRules(parameters),
    skipped: readSkipped(parameters),
    envsFromHook: parameters?.addEnvsFromHook ?? [],
    ...statusOf(workload.statusConfiguration),
    hook: hook && readHook(hook),
    gate: gate && { templateName: gate.templateName, args: gate.args ?? [] },
    concurrency: spec.concurrency ?? defaultConcurrency,
    resyncPeriod: parseSpan(hook?.resyncPeriod ?? '') ?? defaultResync,
    referenceNamespaces: spec.referenceNamespaces ?? [],
  };
}

const identityOf = (metadata: JsonObject): Pick<Registration, 'name' | 'uid' | 'generation'> => ({
  name: textAt(metadata, 'name') ?? '',
  uid: textAt(metadata, 'uid') ?? '',
  generation: numberAt(metadata, 'generation') ?? 0,
});

const defaultConcurrency = 5;

type StatusFields = CrdRegistration['spec']['workload']['statusConfiguration'];

function statusOf(status: StatusFields): Pick<Registration, 'statusValues' | 'hookConditions'> {
  const { add = [], addElements = [], conditionsFromHook = [] } = status ?? {};
  const values = [
    ...add.map(({ path, valueFrom }) => ({ path, from: valueFrom.path })),
    ...addElements.map(({ path, render }) => ({ path, from: render.valueFromParameter.path })),
  ];
  return {
    statusValues: values.map(({ path, from }) => ({ path: plainPath(path), from: variableKey(from) })),
    hookConditions: conditionsFromHook.map(({ type }) => type),
  };
}

/** Everything but `$added.NAME` is a path. */
const variableKey = (from: string): string => (from.startsWith('$added.') ? from : plainPath(from));

type FormFields = CrdRegistration['spec']['workload']['formFactor'];

/** The default is a Deployment with one pod. */
function formOf(form: FormFields): FormFactor {
  if (form?.knativeService !== undefined) {
    const { minScale, maxScale, visibility } = form.knativeService;
    return { type: 'ksvc', minScale, maxScale, visibility };
  }
  const { replicas = 1, service } = form?.deployment ?? {};
  return { type: 'deployment', replicas, service };
}

function spanErrors({ spec: { hook } }: CrdRegistration): readonly FieldError[] {
  const spans = ['timeout', 'resyncPeriod', 'finalizeTimeout'] as const;
  return spans.flatMap((name) => {
    const text = hook?.[name];
    if (text === undefined || parseSpan(text) !== undefined) return [];
    const message = `Invalid value: ${JSON.stringify(text)}: must be a duration such as PT10S or 10s`;
    return [{ reason: 'FieldValueInvalid', field: `spec.hook.${name}`, message }];
  });
}

function warningsOf(object: Json, { hook, name }: Registration): readonly string[] {
  const unknown = isObject(object) ? schema.unknownFieldPaths(object) : [];
  return [
    ...unknown.map((path) => `unknown field ${JSON.stringify(path)} is ignored`),
    ...(hook !== undefined && hook.capabilities.length === 0
      ? [`the hook of ${name} is never called: it has no capabilities`]
      : []),
    ...(hook?.address.ref !== undefined && hasHost(hook.address.uri)
      ? ['the host of spec.hook.address.uri is ignored: spec.hook.address.ref gives the host']
      : []),
  ];
}

const hasHost = (uri: string | undefined): boolean => /^[^/?#]*\/\/[^/:?#]/.test(uri ?? '');
