import type { OperationKind } from '#machines/decide/model.ts';

/** The verbs that change machines, in eggo's words. */
export const verbs = {
  deploy: 'cluster.create',
  cleanup: 'cluster.delete',
  join: 'node.join',
  delete: 'node.delete',
  upgrade: 'cluster.upgrade',
  bootstrap: 'bootstrap',
} as const satisfies Readonly<Record<string, OperationKind>>;

export type Verb = keyof typeof verbs;

export const isVerb = (text: string): text is Verb => Object.hasOwn(verbs, text);

/** `upgrade` with names is about those nodes only. */
export const operationOf = (verb: Verb, nodes: readonly string[]): OperationKind =>
  verb === 'upgrade' && nodes.length > 0 ? 'node.upgrade' : verbs[verb];
