import type { Wanted } from '#machines/decide/objects/due.ts';
import { warning } from '#loop/note.ts';
import type { KubeObject } from '#kube/object.ts';
import type { Subject } from './subject.ts';
import type { TurnDeps } from './turn-deps.ts';

type About = {
  readonly wanted: Wanted;
  readonly subject: Subject;
  readonly object: KubeObject;
  readonly deps: Pick<TurnDeps, 'events'>;
};

/** Credentials of a master go from the spec with the master. */
export function warnOfRemains({ wanted, subject, object, deps }: About): void {
  if (!subject.isCluster || wanted.kind !== 'node.delete') return;
  const message =
    `Nothing is run on ${wanted.nodes.join(', ')}, whose credentials are no longer in spec.machines: the cluster ` +
    'forgets it. What is installed there, a member of etcd for one, must be removed by hand.';
  deps.events.record(object, warning('NotReset', message));
}
