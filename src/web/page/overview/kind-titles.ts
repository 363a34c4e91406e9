import type { OverviewKind } from '#web/wire/overview.ts';

/** What a table of objects is called. */
export const kindTitles: Readonly<Record<OverviewKind, { readonly one: string; readonly many: string }>> = {
  release: { one: 'release', many: 'Releases' },
  hookrun: { one: 'hook run', many: 'Hook runs' },
  cluster: { one: 'cluster', many: 'Clusters' },
  registration: { one: 'registration', many: 'Registrations' },
};
