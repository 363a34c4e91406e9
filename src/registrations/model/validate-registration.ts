import { isResyncPeriod, timeoutProblem } from './limits.ts';
import { invalid, required, type FieldError } from '#kube/field-error.ts';
import { shownUri, uriProblem } from './uri.ts';
import type { RegisteredHook, Registration } from './registration.ts';
import { isWithin } from './spec-path.ts';

/** Checks that a schema cannot express. */
export function validateRegistration(registration: Registration): readonly FieldError[] {
  return [
    ...(registration.hook === undefined ? [] : hookErrors(registration.hook)),
    ...nameErrors(registration),
    ...volumeErrors(registration),
    ...statusErrors(registration),
    ...(isResyncPeriod(registration.resyncPeriod)
      ? []
      : [invalid('spec.hook.resyncPeriod', registration.resyncPeriod, 'must be from 1s to 30 days')]),
  ];
}

const pointer = /^(\/([^~/]|~[01])*)+$/;

function hookErrors({ address, timeout, protectedFields }: RegisteredHook): readonly FieldError[] {
  const problem = hookUriProblem(address);
  const late = timeoutProblem(timeout);
  return [
    ...(problem === undefined
      ? []
      : [invalid('spec.hook.address.uri', shownUri(address.uri ?? ''), problem)]),
    ...(late === undefined ? [] : [invalid('spec.hook.timeout', timeout, late)]),
    ...protectedFields.flatMap((each, i) =>
      pointer.test(each)
        ? []
        : [invalid(`spec.hook.protectedFields[${i}]`, each, 'must be a JSON pointer such as /spec/replicas')],
    ),
  ];
}

function hookUriProblem({ uri, ref }: RegisteredHook['address']): string | undefined {
  const problem = uriProblem(uri, ref !== undefined);
  const isSecret = uri !== undefined && shownUri(uri) !== uri;
  return problem !== undefined && isSecret
    ? `${problem}: keep them in a Secret, and name it in spec.hook.auth.basic`
    : problem;
}

/** The names of children begin with that of the registration, and the name of a Service must not begin with a digit. */
function nameErrors({ name, form }: Registration): readonly FieldError[] {
  if (name === '') return [required('metadata.name')];
  if (form.type === 'deployment' && form.service === undefined) return [];
  return /^[a-z]/.test(name) && !name.includes('.')
    ? []
    : [
        invalid(
          'metadata.name',
          name,
          'Services are named after it, so it must begin with a letter and have no dots',
        ),
      ];
}

function volumeErrors({ rules, volumes }: Registration): readonly FieldError[] {
  const parameters = 'spec.workload.parameterConfiguration';
  const given = [
    ...volumes.map((volume, i) => ({ volume, field: `${parameters}.add.toVolume[${i}]`, isVariable: false })),
    ...[...rules].flatMap(([path, { volume, name, from }]) => {
      const isVariable = name !== undefined || from !== undefined;
      return volume === undefined
        ? []
        : [{ volume, field: `${parameters}.fromSpec.toVolume[${path}]`, isVariable }];
    }),
  ];
  return given.flatMap(({ volume, field, isVariable }, i) => {
    if (volume.object === '') return [required(`${field}.mountFrom`, 'give a ConfigMap or a Secret')];
    if (isVariable)
      return [
        invalid(
          field,
          volume.name,
          'also has a rule in toEnv; an element becomes a variable or files, not both',
        ),
      ];
    const others = given.slice(0, i).map((each) => each.volume);
    if (others.some(({ name }) => name === volume.name))
      return [invalid(`${field}.name`, volume.name, 'is used by two volumes')];
    return others.some(({ mountPath }) => mountPath === volume.mountPath)
      ? [invalid(`${field}.mountPath`, volume.mountPath, 'is used by another volume')]
      : [];
  });
}

function statusErrors({ statusValues }: Registration): readonly FieldError[] {
  const paths = statusValues.map(({ path }) => path);
  return paths.flatMap((path, i) =>
    paths.some((other, j) => j < i && (isWithin(path, other) || isWithin(other, path)))
      ? [invalid('spec.workload.statusConfiguration.add', path, 'is written twice')]
      : [],
  );
}
