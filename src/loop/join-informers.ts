import type { WithMetadata } from '#kube/object.ts';
import type { Informer } from './informer.ts';

type NamespaceScope = { readonly namespace?: string };

/** One informer with a watch in each of some namespaces; undefined: a single one of everything. */
export function joinInformers<Decoded extends WithMetadata>(
  namespaces: readonly string[] | undefined,
  make: (scope: NamespaceScope) => Informer<Decoded>,
): Informer<Decoded> {
  if (namespaces === undefined) return make({});
  const parts = new Map(namespaces.toSorted().map((namespace) => [namespace, make({ namespace })]));
  const all = [...parts.values()];
  const [first] = all;
  if (first === undefined) throw new Error('an informer of no namespace at all');
  return {
    resource: first.resource,
    run: async (signal) => void (await Promise.all(all.map((part) => part.run(signal)))),
    synced: Promise.all(all.map((part) => part.synced)).then(() => undefined),
    get: (namespace, name) => parts.get(namespace)?.get(namespace, name),
    list: (namespace) =>
      namespace === undefined
        ? all.flatMap((part) => part.list())
        : (parts.get(namespace)?.list(namespace) ?? []),
    byIndex: (index, value) => all.flatMap((part) => part.byIndex(index, value)),
    addIndexes(indexes) {
      for (const part of all) part.addIndexes(indexes);
    },
    subscribe(listener) {
      const ends = all.map((part) => part.subscribe(listener));
      return () => {
        for (const end of ends) end();
      };
    },
    position: (namespace) => parts.get(namespace)?.position(namespace) ?? '',
    onList(listener) {
      const ends = all.map((part) => part.onList(listener));
      return () => {
        for (const end of ends) end();
      };
    },
  };
}
