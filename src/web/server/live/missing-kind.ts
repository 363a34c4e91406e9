import type { KindWatch } from './kind-watch.ts';
import type { KeptRow, OverviewSource } from './overview-kinds.ts';

/** What the overview does not show of a kind, in a sentence; undefined: it shows everything. */
export function missingText(
  { words, resource }: OverviewSource,
  watch: Pick<KindWatch<KeptRow>, 'refusal'>,
  namespace: string,
): string | undefined {
  const refused = watch.refusal();
  if (refused === undefined) return undefined;
  const { type, message } = refused.refusal;
  if (refused.isNarrow) return `Only ${words} of namespace ${namespace} are shown: ${message}`;
  if (type === 'not-found')
    return `The cluster has no ${words}: install ${resource.plural}.${resource.group} with boathook crds | kubectl apply -f -`;
  return `${words} cannot be listed: ${message}`;
}
