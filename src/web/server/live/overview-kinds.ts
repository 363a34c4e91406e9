import { hookRuns, resourceOf } from '#hooks/kinds/resources.ts';
import type { KubeObject, WithMetadata } from '#kube/object.ts';
import type { Resource } from '#kube/resource.ts';
import type { Decoder } from '#loop/decoder.ts';
import { clusters } from '#machines/kinds/resources.ts';
import { crdRegistration } from '#registrations/kinds/crd-registration.ts';
import { gameDeployments, gameStatefulSets } from '#releases/controller/resources.ts';
import type { OverviewKind, OverviewRow } from '#web/wire/overview.ts';
import { clusterRow, registrationRow, releaseRow, runRow } from './overview-row.ts';
import { watchedMeta, type WatchedKind } from './watched-kind.ts';

/** What is kept of an object in the overview. */
export type KeptRow = WithMetadata & { readonly row: OverviewRow };

export type OverviewSource = WatchedKind<KeptRow> & {
  readonly kind: OverviewKind;
  /** In the plural, as sentences name them. */
  readonly words: string;
};

const decoder = (name: string, rowOf: (object: KubeObject) => OverviewRow): Decoder<KeptRow> => ({
  name: `row of ${name}`,
  of: (object) => ({ metadata: watchedMeta(object), row: rowOf(object) }),
});

const source = (
  kind: OverviewKind,
  words: string,
  resource: Resource,
  rowOf: (object: KubeObject) => OverviewRow,
): OverviewSource => ({ kind, words, resource, decode: decoder(words, rowOf) });

export const registrations = resourceOf(crdRegistration);

/** The kinds of objects in the overview. */
export const overviewSources: readonly OverviewSource[] = [
  source('release', 'GameDeployments', gameDeployments, (object) => releaseRow(object, 'GameDeployment')),
  source('release', 'GameStatefulSets', gameStatefulSets, (object) => releaseRow(object, 'GameStatefulSet')),
  source('hookrun', 'HookRuns', hookRuns, runRow),
  source('cluster', 'Clusters', clusters, clusterRow),
  source('registration', 'CRDRegistrations', registrations, registrationRow),
];
