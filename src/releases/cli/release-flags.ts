import type { NamespacedFlags } from '#command/in-cluster.ts';

/** The flags that every verb of `boathook release` has. */
export type ReleaseFlags = NamespacedFlags & { readonly output?: string };

/** The user agent of `boathook release`, which the API server records as field manager. */
export const releaseAgent = 'boathook-release';
