import { createInformer, type Informer, type InformerDeps } from './informer.ts';

type Shared = Omit<InformerDeps, 'resource' | 'namespace' | 'labelSelector' | 'fieldSelector' | 'indexes'>;
export type InformerWish = Pick<
  InformerDeps,
  'resource' | 'namespace' | 'labelSelector' | 'fieldSelector' | 'indexes'
>;

/** Informers that several controllers read: one per resource and selection. */
export type SharedInformers = {
  /** Wishes for the same objects share one informer, with the indexes of all of them. Wish before `run`. */
  informer(wish: InformerWish): Informer;
  /** Runs all that were wished for until the signal aborts. */
  run(signal: AbortSignal): Promise<void>;
  /** Resolves when all know everything. */
  synced(): Promise<void>;
};

export function shareInformers(shared: Shared): SharedInformers {
  const made = new Map<string, Informer>();
  return {
    informer(wish) {
      const { resource, namespace = '', labelSelector = '', fieldSelector = '' } = wish;
      const { group, version, plural } = resource;
      const id = [group, version, plural, namespace, labelSelector, fieldSelector].join(' ');
      const known = made.get(id);
      if (known !== undefined) {
        known.addIndexes(wish.indexes ?? {});
        return known;
      }
      const informer = createInformer({ ...shared, ...wish });
      made.set(id, informer);
      return informer;
    },
    run: async (signal) => {
      await Promise.all([...made.values()].map((informer) => informer.run(signal)));
    },
    synced: async () => {
      await Promise.all([...made.values()].map((informer) => informer.synced));
    },
  };
}
