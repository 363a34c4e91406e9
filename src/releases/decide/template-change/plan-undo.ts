import { objectAt } from '#base/json.ts';
import type { KubeObject } from '#kube/object.ts';
import { imageChanges, printImageChanges } from './images.ts';
import type { TemplatePlan } from './template-plan.ts';
import { undoTarget } from './undo-target.ts';

/** undo. `known`: the ControllerRevisions of the workload. */
export function planUndo(
  workload: KubeObject,
  known: readonly KubeObject[],
  wanted: number | undefined,
  title: string,
): TemplatePlan {
  const target = undoTarget(workload, known, wanted);
  switch (target.type) {
    case 'found': {
      const { template, number, revision } = target;
      const changes = imageChanges(objectAt(workload, 'spec', 'template') ?? {}, template);
      const images = changes.length === 0 ? 'no image changes' : printImageChanges(changes);
      const summary = `template set back to revision ${number} (${images})`;
      return { type: 'change', template, revision, summary };
    }
    case 'same':
      return {
        type: 'nothing',
        message: `the template of ${title} is that of revision ${target.number} already, so nothing was changed`,
      };
    case 'unknown': {
      const others = target.known.length === 0 ? 'none' : target.known.join(', ');
      return { type: 'refused', message: `${title} has no revision ${wanted ?? ''}: it has ${others}` };
    }
    case 'none':
      return { type: 'refused', message: `${title} has no other revision to go back to` };
  }
}
