import type { Informer } from '#loop/informer.ts';
import type { Settings } from '#embedded/nodes/tuning/script.ts';
import type { LoopDeps } from '#loop/loop-deps.ts';

/** What simulated nodes run on. */
export type NodesLoopDeps = Pick<LoopDeps, 'client' | 'clock' | 'random'> &
  Partial<Pick<LoopDeps, 'tasks' | 'report'>>;

/** What scheduler, kubelets and node controllers work with. */
export type NodesDeps = NodesLoopDeps & {
  readonly settings: Settings;
  readonly pods: Informer;
  readonly nodes: Informer;
  readonly claims: Informer;
  readonly storageClasses: Informer;
  readonly namespaces: Informer;
};
