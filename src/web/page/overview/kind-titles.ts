import type { OverviewKind } from '#web/wire/overview.ts';

/** What a table of objects is called. */
export const kindTitles: Readonly<Record<OverviewKind, string>> = {
  release: 'Releases',
  hookrun: 'Hook runs',
  cluster: 'Clusters',
  registration: 'Registrations',
};
