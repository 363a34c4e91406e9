import { textAt } from '#base/json.ts';
import { namespaceOf, type KubeObject } from '#kube/object.ts';
import { controllerOf } from '#kube/workload/owner.ts';
import { keyOf, objectKey } from '#loop/delta.ts';
import { pods, revisions } from '#loop/owned/resources.ts';
import type { KeepsObject } from '#loop/shared-informers.ts';
import type { Shard } from '#loop/shards/shard.ts';
import { resourceOf } from '#hooks/kinds/resources.ts';
import { crdRegistration } from '#registrations/kinds/crd-registration.ts';
import { gameDeployment } from '#releases/kinds/game-deployment.ts';
import { gameStatefulSet } from '#releases/kinds/game-stateful-set.ts';
import type { Resource } from '#kube/resource.ts';
import { controllerGroups, type ControlName } from './install/control-names.ts';

type Owns = (shard: Shard, object: KubeObject) => boolean;

const byOwnKey: Owns = (shard, object) => shard.owns(keyOf(object));
/** Objects without a controller may be adopted by a workload of any shard. */
const byController: Owns = (shard, object) => {
  const controller = controllerOf(object);
  return controller === undefined || shard.owns(objectKey(namespaceOf(object), controller.name));
};
/** All registrations of a CRD together: only one of them serves it. */
const byCrd: Owns = (shard, object) => shard.owns(textAt(object, 'spec', 'crd') ?? '');

const nameOf = ({ group, plural }: Resource): string => `${plural}.${group}`;

/** The resources of which a shard keeps its own part only. Of all others it keeps everything. */
const parts: ReadonlyMap<string, Owns> = new Map([
  [nameOf(resourceOf(gameDeployment)), byOwnKey],
  [nameOf(resourceOf(gameStatefulSet)), byOwnKey],
  [nameOf(pods), byController],
  [nameOf(revisions), byController],
  [nameOf(resourceOf(crdRegistration)), byCrd],
]);

export type ShardScope = {
  readonly names: ReadonlySet<ControlName>;
  readonly owns: (key: string) => boolean;
  readonly keeps: KeepsObject;
};

const undivided: ReadonlySet<ControlName> = new Set(controllerGroups.machines);

/**
 * What the controllers of a shard reconcile. Clusters and Machines may name the same host, so shard 0 has all of them;
 * the others run no controller for them.
 */
export const scopeOf = (shard: Shard, names: ReadonlySet<ControlName>): ShardScope => ({
  names: new Set([...names].filter((name) => shard.index === 0 || !undivided.has(name))),
  owns: (key) => shard.owns(key),
  keeps: (resource, object) => parts.get(nameOf(resource))?.(shard, object) ?? true,
});
