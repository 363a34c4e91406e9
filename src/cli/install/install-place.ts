import type { RolePlace } from './role-objects.ts';

/** Where Boathook is installed, and from which image. */
export type InstallPlace = RolePlace & {
  readonly image: string;
  readonly replicas: number;
  /** How many shards the replicas share; unless given one of them does everything. */
  readonly shards?: number;
};

/** As the files in `deploy` have it. */
export const defaultPlace = (version: string): InstallPlace => ({
  namespace: 'boathook-system',
  serviceAccount: 'boathook-controller',
  image: `boathook:${version}`,
  replicas: 2,
});
