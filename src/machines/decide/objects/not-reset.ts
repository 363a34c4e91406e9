import type { WantedOperation } from './due.ts';

/** A warning about masters that leave a Cluster: their credentials leave the spec with them. */
export const notReset = ({ kind, nodes }: WantedOperation): string | undefined =>
  kind === 'node.delete'
    ? `Nothing is run on ${nodes.join(', ')}, whose credentials are no longer in spec.machines: the cluster ` +
      'forgets it. What is installed there, a member of etcd for one, must be removed by hand.'
    : undefined;
