import type { OperationAction } from './operation.ts';

export type Subresource = {
  readonly actions: readonly OperationAction[];
  /** The kind of its body; undefined for the resource's own. */
  readonly body?: { readonly group: string; readonly version: string; readonly kind: string };
  /** Answers with plain text. */
  readonly text?: boolean;
};

const readAndWrite: readonly OperationAction[] = ['get', 'put', 'patch'];

/** What each subresource takes and gives. Those that upgrade the connection have no place in a schema. */
export const knownSubresources: Readonly<Record<string, Subresource | undefined>> = {
  status: { actions: readAndWrite },
  approval: { actions: readAndWrite },
  ephemeralcontainers: { actions: readAndWrite },
  resize: { actions: readAndWrite },
  finalize: { actions: ['put'] },
  scale: { actions: readAndWrite, body: { group: 'autoscaling', version: 'v1', kind: 'Scale' } },
  eviction: { actions: ['post'], body: { group: 'policy', version: 'v1', kind: 'Eviction' } },
  binding: { actions: ['post'], body: { group: '', version: 'v1', kind: 'Binding' } },
  token: { actions: ['post'], body: { group: 'authentication.k8s.io', version: 'v1', kind: 'TokenRequest' } },
  log: { actions: ['get'], text: true },
};
