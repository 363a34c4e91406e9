import { labelsOf, nameOf, namespaceOf, type WithMetadata } from '#kube/object.ts';

/** The key that decides which shard a HookRun belongs to: that of its workload, so that a release needs one shard only. */
export const shardKeyOf = (run: WithMetadata): string =>
  `${namespaceOf(run)}/${labelsOf(run)['boathook.dev/workload'] ?? nameOf(run)}`;
