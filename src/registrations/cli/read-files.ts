import { crdRegistration } from '#registrations/kinds/crd-registration.ts';
import { isObject, textAt } from '#base/json.ts';
import { ExitError } from '#command/exit.ts';
import { readLocatedObjects, type LocatedObject } from '#command/located-objects.ts';
import { shownFile } from '#command/read-text.ts';
import { referenceKey } from '#registrations/decide/references.ts';
import { apiVersionOf, kindOf, nameOf, namespaceOf, withMeta, type KubeObject } from '#kube/object.ts';

/** The objects in the files. */
export type Files = {
  readonly registrations: readonly KubeObject[];
  readonly crds: readonly KubeObject[];
  readonly others: readonly KubeObject[];
  /** Where each object is written. */
  readonly sources: ReadonlyMap<KubeObject, Pick<LocatedObject, 'file' | 'lineOf'>>;
};

export function readFiles(filenames: readonly string[]): Files {
  const sources = new Map(readLocatedObjects(filenames).map((located) => [objectOf(located), located]));
  const objects = [...sources.keys()];
  const isCrd = (each: KubeObject): boolean => kindOf(each) === 'CustomResourceDefinition';
  const isRegistration = (each: KubeObject): boolean => kindOf(each) === crdRegistration.kind;
  const registrations = objects.filter(isRegistration);
  if (registrations.length === 0)
    throw new ExitError(2, `${filenames.map(shownFile).join(', ')}: no ${crdRegistration.kind} found`);
  return {
    registrations,
    crds: objects.filter(isCrd),
    others: objects.filter((each) => !isCrd(each) && !isRegistration(each)),
    sources,
  };
}

/**
 * The instances of a registration: objects of the kind in the CRD. Without the CRD, objects whose kind matches the
 * plural name and, if there are none, all objects of the group.
 */
export function instancesOf(
  name: string,
  crd: KubeObject | undefined,
  others: readonly KubeObject[],
): readonly KubeObject[] {
  const dot = name.indexOf('.');
  const [plural, group] = [name.slice(0, dot), name.slice(dot + 1)];
  const ofGroup = others.filter((each) => apiVersionOf(each).startsWith(`${group}/`));
  const kind = textAt(crd, 'spec', 'names', 'kind');
  if (kind !== undefined) return ofGroup.filter((each) => kindOf(each) === kind);
  const alike = ofGroup.filter((each) => pluralsOf(kindOf(each).toLowerCase()).includes(plural));
  return alike.length > 0 ? alike : ofGroup;
}

const pluralsOf = (kind: string): readonly string[] => [
  kind,
  `${kind}s`,
  `${kind}es`,
  kind.replace(/y$/, 'ies'),
];

/** Objects by `referenceKey`; those without a namespace get the default one. */
export function objectsByKey(
  objects: readonly KubeObject[],
  namespace: string,
): ReadonlyMap<string, KubeObject> {
  return new Map(
    objects.map((object) => {
      const placed = namespaceOf(object) === '' ? withMeta(object, { namespace }) : object;
      const reference = {
        apiVersion: apiVersionOf(object),
        kind: kindOf(object),
        namespace: namespaceOf(placed),
        name: nameOf(object),
      };
      return [referenceKey(reference), placed] as const;
    }),
  );
}

function objectOf({ value, file }: LocatedObject): KubeObject {
  if (isObject(value) && textAt(value, 'kind') !== undefined) return value;
  throw new ExitError(2, `${file}: a document is not a Kubernetes object: it has no kind`);
}
