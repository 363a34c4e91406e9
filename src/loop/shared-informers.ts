import type { Resource } from '#kube/resource.ts';
import { whenAborted } from './when-aborted.ts';
import { createInformer, type Informer, type InformerDeps } from './informer.ts';

type Shared = Omit<InformerDeps, keyof InformerWish>;
export type InformerWish = Pick<
  InformerDeps,
  'resource' | 'namespace' | 'labelSelector' | 'fieldSelector' | 'indexes' | 'lean'
>;

/** Informers that several controllers read: one per resource and selection. */
export type SharedInformers = {
  /** Wishes for the same objects share one informer, with the indexes of all of them. */
  informer(wish: InformerWish): Informer;
  /** The informer of all whole objects of a resource, in any version, if there is one. */
  existing(resource: Resource): Informer | undefined;
  /** Runs all that were wished for, and those still to come, until the signal aborts. Call it once. */
  run(signal: AbortSignal): Promise<void>;
  /** Resolves when all that were wished for so far know everything. */
  synced(): Promise<void>;
};

export function shareInformers(shared: Shared): SharedInformers {
  const made = new Map<string, Informer>();
  const whole = new Map<string, Informer>();
  const runs: Promise<void>[] = [];
  let running: AbortSignal | undefined;
  return {
    informer(wish) {
      const { resource, namespace = '', labelSelector = '', fieldSelector = '' } = wish;
      const { group, version, plural } = resource;
      const id = [group, version, plural, namespace, labelSelector, fieldSelector, wish.lean?.name].join(' ');
      const known = made.get(id);
      if (known !== undefined) {
        known.addIndexes(wish.indexes ?? {});
        return known;
      }
      const informer = createInformer({ ...shared, ...wish });
      made.set(id, informer);
      const isWhole = namespace + labelSelector + fieldSelector === '' && wish.lean === undefined;
      if (isWhole) whole.set(`${group}/${plural}`, informer);
      if (running !== undefined) runs.push(informer.run(running));
      return informer;
    },
    existing: ({ group, plural }) => whole.get(`${group}/${plural}`),
    async run(signal) {
      running = signal;
      for (const informer of made.values()) runs.push(informer.run(signal));
      await whenAborted(signal);
      await Promise.all(runs);
    },
    synced: async () => {
      await Promise.all([...made.values()].map((informer) => informer.synced));
    },
  };
}
