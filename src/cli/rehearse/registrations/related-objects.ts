import { textAt } from '#base/json.ts';
import { printJson } from '#base/json-text.ts';
import { kindOf, nameOf, type KubeObject } from '#kube/object.ts';
import { crdRegistration } from '#registrations/kinds/crd-registration.ts';
import type { Registration } from '#registrations/model/registration.ts';

/**
 * The objects that may matter for registrations: those with their definitions and instances, and all that name one of
 * these or are named by one, however far away. One too many does no harm.
 */
export function relatedObjects(
  objects: readonly KubeObject[],
  registrations: readonly Pick<Registration, 'name' | 'crd'>[],
): ReadonlySet<KubeObject> {
  const crds = new Set(registrations.map(({ crd }) => crd));
  const definitions = objects.filter(
    (each) => kindOf(each) === 'CustomResourceDefinition' && crds.has(nameOf(each)),
  );
  const kinds = new Set([
    crdRegistration.kind,
    ...definitions.map((each) => textAt(each, 'spec', 'names', 'kind') ?? ''),
  ]);
  const related = new Set([...definitions, ...objects.filter((each) => kinds.has(kindOf(each)))]);
  const texts = new Map(objects.map((each) => [each, printJson(each)]));
  const isNaming = (from: KubeObject, to: KubeObject): boolean =>
    texts.get(from)?.includes(nameOf(to)) === true;
  let last: readonly KubeObject[] = [...related];
  while (last.length > 0) {
    const found = objects.filter(
      (each) => !related.has(each) && last.some((other) => isNaming(other, each) || isNaming(each, other)),
    );
    for (const each of found) related.add(each);
    last = found;
  }
  return related;
}
