import { at, listAt, numberAt } from '#base/json.ts';
import type { KubeObject } from '#kube/object.ts';
import { joined } from './cells.ts';
import { wideColumn, type Column } from './column.ts';
import { selectorOrNone } from './selector-text.ts';

export const containersDescription = 'Names of each container in the template.';
export const imagesDescription = 'Images referenced by each container in the template.';

/** The wide columns with containers, images and selector of a workload. */
export const templateColumns = (...path: readonly string[]): readonly Column[] => [
  wideColumn('Containers', containersDescription, (it) =>
    joined(listAt(it, ...path, 'spec', 'containers'), 'name'),
  ),
  wideColumn('Images', imagesDescription, (it) => joined(listAt(it, ...path, 'spec', 'containers'), 'image')),
];

export const selectorColumn = (description: string, ...path: readonly string[]): Column =>
  wideColumn('Selector', description, (it) => selectorOrNone(at(it, ...path)));

/** `2/3`: ready pods of desired pods. */
export function readyOfDesired(object: KubeObject): string {
  return `${numberAt(object, 'status', 'readyReplicas') ?? 0}/${numberAt(object, 'spec', 'replicas') ?? 0}`;
}
