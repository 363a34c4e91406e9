import { objectAt } from '#base/json.ts';
import type { KubeObject } from '#kube/object.ts';
import { printImageChanges, setImages } from './images.ts';
import type { TemplatePlan } from './template-plan.ts';

/** set image. `wanted`: images by container. */
export function planImages(
  workload: KubeObject,
  wanted: ReadonlyMap<string, string>,
  title: string,
): TemplatePlan {
  const set = setImages(objectAt(workload, 'spec', 'template') ?? {}, wanted);
  switch (set.type) {
    case 'changed':
      return {
        type: 'change',
        template: set.template,
        summary: `images set: ${printImageChanges(set.changes)}`,
      };
    case 'same':
      return { type: 'nothing', message: `${title} has these images already, so nothing was changed` };
    case 'unknown': {
      const hint = set.near === undefined ? '' : `; did you mean ${set.near}?`;
      const known = `it has ${set.known.join(', ')}`;
      return { type: 'invalid', message: `${title} has no container ${set.container}: ${known}${hint}` };
    }
  }
}
