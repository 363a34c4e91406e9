import type { ClusterNode, NodeRole } from './model.ts';

/** In the order in which eggo names them. */
export const roles: readonly NodeRole[] = ['master', 'worker', 'etcd', 'loadbalance'];

export const isRole = (text: string): text is NodeRole => roles.some((role) => role === text);

export const rolesText = (node: Pick<ClusterNode, 'roles'>): string =>
  roles.filter((role) => node.roles.includes(role)).join(',');

export const firstWith = (nodes: readonly ClusterNode[], role: NodeRole): ClusterNode | undefined =>
  nodes.find((node) => node.roles.includes(role));
