import type { Patch } from '#edge/kube/write-verbs.ts';
import { resourceVersionOf, type KubeObject } from '#kube/object.ts';
import type { ActChange } from '#releases/decide/act-plan/act-plan.ts';
import { actAnnotation, printAct } from '#releases/model/act.ts';
import { changeAnnotation, printChange } from '#releases/model/release-change.ts';
import type { Signature } from './signature.ts';

/** The patch of an act. The server refuses it when the workload was changed since it was read. */
export function actPatch(workload: KubeObject, change: ActChange, signed: Signature): Patch {
  const resourceVersion = resourceVersionOf(workload);
  switch (change.type) {
    case 'act': {
      const { type: _type, ...asked } = change;
      const annotations = { [actAnnotation]: printAct({ ...signed, ...asked }) };
      return { type: 'merge', body: { metadata: { resourceVersion, annotations } } };
    }
    case 'paused': {
      const { paused, revision } = change;
      const written = printChange({ ...signed, verb: paused ? 'pause' : 'resume', revision });
      const metadata = { resourceVersion, annotations: { [changeAnnotation]: written } };
      return { type: 'merge', body: { metadata, spec: { updateStrategy: { paused } } } };
    }
  }
}
