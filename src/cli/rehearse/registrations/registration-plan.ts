import { isObject, textAt, type Json } from '#base/json.ts';
import type { Millis } from '#base/time.ts';
import { ExitError } from '#command/exit.ts';
import type { ProfileName } from '#embedded/nodes/tuning/profiles.ts';
import { kindOf, nameOf, namespaceOf, type KubeObject } from '#kube/object.ts';
import { hookReferences } from '#registrations/controller/hook-references.ts';
import { readRegistration } from '#registrations/read.ts';
import type { Registration } from '#registrations/model/registration.ts';
import { crdRegistration } from '#registrations/kinds/crd-registration.ts';
import { bareObject } from '#cli/rehearse/plan-rehearsals.ts';
import { relatedObjects } from './related-objects.ts';
import type { RegistrationAnswer } from './registration-answers.ts';

/** A rehearsal of an edit of registrations. */
export type RegistrationPlan = {
  /** All objects before the edit. */
  readonly before: readonly KubeObject[];
  /** They replace objects of the same kind and name, or are added. */
  readonly edits: readonly KubeObject[];
  /** The registrations after the edit. */
  readonly registrations: readonly Registration[];
  readonly hooks: ReadonlyMap<string, RegistrationAnswer>;
  readonly isLive: boolean;
  readonly horizon: Millis;
  readonly profile: ProfileName;
  readonly warnings: readonly string[];
};

export type RegistrationSettings = Pick<RegistrationPlan, 'hooks' | 'isLive' | 'horizon' | 'profile'>;

/** Ends the command on bad input. */
export function planRegistration(
  before: readonly Json[],
  edits: readonly Json[],
  settings: RegistrationSettings,
): RegistrationPlan {
  const [old, changed] = [objectsIn(before), objectsIn(edits)];
  if (changed.length === 0)
    throw new ExitError(2, 'nothing is to be changed: give the edited objects with --edit FILE');
  const after = [...old.filter((each) => !changed.some((other) => isSame(each, other))), ...changed];
  const read = after.filter(isRegistration).map(readOne);
  if (read.length === 0)
    throw new ExitError(2, `there is no ${crdRegistration.kind}: add one with -f or --edit`);
  const registrations = read.map(({ registration }) => registration);
  checkDefinitions(registrations, after);
  checkHookObjects(registrations, after);
  checkNames(registrations, settings.hooks.keys());
  checkRelated(changed, relatedObjects(after, registrations));
  return {
    ...settings,
    before: old,
    edits: changed,
    registrations,
    warnings: read.flatMap(({ warnings }) => warnings),
  };
}

/** Other documents, such as recorded replies, may lie beside the manifests. */
const objectsIn = (documents: readonly Json[]): readonly KubeObject[] =>
  documents
    .filter(isObject)
    .map(bareObject)
    .filter((object) => kindOf(object) !== '');

/** Whether a cluster takes them for one object. */
const isSame = (left: KubeObject, right: KubeObject): boolean =>
  kindOf(left) === kindOf(right) &&
  nameOf(left) === nameOf(right) &&
  groupOf(left) === groupOf(right) &&
  (namespaceOf(left) === namespaceOf(right) || isRegistration(left));

const groupOf = (object: KubeObject): string => {
  const version = textAt(object, 'apiVersion') ?? '';
  return version.includes('/') ? version.slice(0, version.indexOf('/')) : '';
};

const isRegistration = (object: KubeObject): boolean => kindOf(object) === crdRegistration.kind;

function readOne(object: KubeObject): {
  readonly registration: Registration;
  readonly warnings: readonly string[];
} {
  const read = readRegistration(object);
  if (read.type === 'refused') {
    const errors = read.errors.map(({ field, message }) => `${field}: ${message}`);
    throw new ExitError(2, `${crdRegistration.kind} ${nameOf(object)} is invalid:\n  ${errors.join('\n  ')}`);
  }
  return { registration: read.registration, warnings: read.warnings };
}

function checkDefinitions(registrations: readonly Registration[], objects: readonly KubeObject[]): void {
  for (const { name, crd } of registrations)
    if (!objects.some((each) => kindOf(each) === 'CustomResourceDefinition' && nameOf(each) === crd))
      throw new ExitError(
        2,
        `CRDRegistration ${name} is for the CustomResourceDefinition ${crd}, which is not in the manifests: add its file with -f`,
      );
}

/** The namespace of the controllers in a rehearsal. */
const controllerNamespace = 'default';

/** Secrets of a live cluster are not read, so they must be given. */
function checkHookObjects(registrations: readonly Registration[], objects: readonly KubeObject[]): void {
  for (const { name, hook } of registrations)
    for (const wanted of hook === undefined ? [] : hookReferences(hook, controllerNamespace))
      if (
        !objects.some(
          (each) =>
            kindOf(each) === wanted.kind &&
            nameOf(each) === wanted.name &&
            namespaceOf(each) === wanted.namespace,
        )
      )
        throw new ExitError(
          2,
          `the hook of CRDRegistration ${name} needs ${wanted.kind} ${wanted.namespace}/${wanted.name}, which is not in the manifests: add its file with -f; for a rehearsal any value will do`,
        );
}

/** An edit that concerns no registration would say nothing about the instances. */
function checkRelated(edits: readonly KubeObject[], related: ReadonlySet<KubeObject>): void {
  if (edits.some((each) => related.has(each))) return;
  const names = edits.map((each) => `${kindOf(each)} ${nameOf(each)}`).join(', ');
  throw new ExitError(
    2,
    `--edit changes nothing: no registration and no instance has to do with ${names}. Give the edited registration, CRD or instances, or what they refer to`,
  );
}

function checkNames(registrations: readonly Registration[], given: Iterable<string>): void {
  const known = registrations.flatMap(({ name, hook, gate }) => [
    ...(hook === undefined ? [] : [name]),
    ...(gate === undefined ? [] : [gate.templateName]),
  ]);
  for (const name of given)
    if (!known.includes(name)) {
      const names = known.length === 0 ? 'there is none' : `choose from ${[...new Set(known)].join(', ')}`;
      throw new ExitError(
        2,
        `--hook ${name}: no registration with a hook and no gate has this name: ${names}`,
      );
    }
}
