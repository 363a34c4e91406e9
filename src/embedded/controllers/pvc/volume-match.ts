import { listAt, objectAt, textAt } from '#base/json.ts';
import { compareQuantity, parseQuantity, type Quantity } from '#base/quantity.ts';
import { labelSelectorOf, matchesLabels } from '#kube/label-selector.ts';
import { isDeleting, labelsOf, nameOf, namespaceOf, uidOf, type KubeObject } from '#kube/object.ts';

/** The claimRef of a volume. */
export function refersTo(volume: KubeObject, claim: KubeObject): 'exactly' | 'by name' | 'no' {
  const reference = objectAt(volume, 'spec', 'claimRef');
  const isNamed =
    textAt(reference, 'namespace') === namespaceOf(claim) && textAt(reference, 'name') === nameOf(claim);
  if (reference === undefined || !isNamed) return 'no';
  const uid = textAt(reference, 'uid') ?? '';
  if (uid === '') return 'by name';
  return uid === uidOf(claim) ? 'exactly' : 'no';
}

/** The smallest free volume that satisfies a claim; one that is reserved for it comes first. */
export function findVolume(claim: KubeObject, volumes: Iterable<KubeObject>): KubeObject | undefined {
  let best: KubeObject | undefined;
  for (const volume of volumes) {
    if (isDeleting(volume) || !fits(volume, claim)) continue;
    if (refersTo(volume, claim) !== 'no') return volume;
    if (objectAt(volume, 'spec', 'claimRef') !== undefined) continue;
    if (best === undefined || compareQuantity(capacityOf(volume), capacityOf(best)) < 0) best = volume;
  }
  return best;
}

function fits(volume: KubeObject, claim: KubeObject): boolean {
  const modes = listAt(volume, 'spec', 'accessModes');
  const selector = objectAt(claim, 'spec', 'selector');
  return (
    classOf(volume) === classOf(claim) &&
    (textAt(volume, 'spec', 'volumeMode') ?? 'Filesystem') ===
      (textAt(claim, 'spec', 'volumeMode') ?? 'Filesystem') &&
    listAt(claim, 'spec', 'accessModes').every((mode) => modes.includes(mode)) &&
    compareQuantity(capacityOf(volume), requestOf(claim)) >= 0 &&
    (selector === undefined || matchesLabels(labelSelectorOf(selector), labelsOf(volume)))
  );
}

export const classOf = (object: KubeObject): string => textAt(object, 'spec', 'storageClassName') ?? '';

const zero: Quantity = { nano: 0n, format: 'BinarySI' };

const capacityOf = (volume: KubeObject): Quantity =>
  parseQuantity(textAt(volume, 'spec', 'capacity', 'storage') ?? '') ?? zero;
const requestOf = (claim: KubeObject): Quantity =>
  parseQuantity(textAt(claim, 'spec', 'resources', 'requests', 'storage') ?? '') ?? zero;
