/**
 * What a tab follows: `overview`, or one object. An object is `kind/namespace/name`, with an empty namespace for
 * cluster-scoped ones: `release/GameDeployment/shop/web`, `hookrun/shop/web-1`, `template/shop/age`, `cluster//prod`,
 * `registration//kuards`.
 */
export type Topic =
  | { readonly type: 'overview' }
  | {
      readonly type: 'release';
      readonly kind: 'GameDeployment' | 'GameStatefulSet';
      readonly namespace: string;
      readonly name: string;
    }
  | { readonly type: 'hookrun' | 'template'; readonly namespace: string; readonly name: string }
  | { readonly type: 'cluster' | 'registration'; readonly name: string };

export function topicText(topic: Topic): string {
  switch (topic.type) {
    case 'overview':
      return 'overview';
    case 'release':
      return `release/${topic.kind}/${topic.namespace}/${topic.name}`;
    case 'hookrun':
    case 'template':
      return `${topic.type}/${topic.namespace}/${topic.name}`;
    case 'cluster':
    case 'registration':
      return `${topic.type}//${topic.name}`;
  }
}

/** Undefined for a text that names no topic. */
export function parseTopic(text: string): Topic | undefined {
  const [type, ...rest] = text.split('/');
  if (type === 'overview' && rest.length === 0) return { type };
  if (type === 'release' && rest.length === 3) {
    const [kind, namespace = '', name = ''] = rest;
    if (kind !== 'GameDeployment' && kind !== 'GameStatefulSet') return undefined;
    return namespace === '' || name === '' ? undefined : { type, kind, namespace, name };
  }
  const [namespace = '', name = ''] = rest;
  if (rest.length !== 2 || name === '') return undefined;
  if (type === 'hookrun' || type === 'template')
    return namespace === '' ? undefined : { type, namespace, name };
  if (type === 'cluster' || type === 'registration') return namespace === '' ? { type, name } : undefined;
  return undefined;
}
