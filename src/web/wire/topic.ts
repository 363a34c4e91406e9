import { detailText, parseDetail, type CallTopic, type OutputTopic } from './detail-topic.ts';

/**
 * What a tab follows: `overview`, one object, or a detail of one. An object is `kind/namespace/name`, with an empty namespace for
 * cluster-scoped ones: `release/GameDeployment/shop/web`, `hookrun/shop/web-1`, `template/shop/age`, `cluster//prod`,
 * `registration//kuards`. Details are `output//CLUSTER/OPERATION/NODE/STEP/ATTEMPT`, the output of a script, and
 * `call/NAMESPACE/REGISTRATION/INSTANCE`, the last call of a hook about an instance; their parts are percent-encoded.
 */
export type Topic = { readonly type: 'overview' } | ObjectTopic | OutputTopic | CallTopic;

/** One object, which has a page of its own. */
export type ObjectTopic =
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
    case 'output':
    case 'call':
      return detailText(topic);
  }
}

/** Undefined for a text that names no topic. */
export function parseTopic(text: string): Topic | undefined {
  const [type, ...rest] = text.split('/');
  switch (type) {
    case 'overview':
      return rest.length === 0 ? { type } : undefined;
    case 'release':
      return releaseTopic(rest);
    case 'hookrun':
    case 'template':
      return namespacedTopic(type, rest);
    case 'cluster':
    case 'registration': {
      const [namespace, name] = rest;
      return rest.length === 2 && namespace === '' && name ? { type, name } : undefined;
    }
    default:
      return parseDetail(type, rest);
  }
}

function namespacedTopic(type: 'hookrun' | 'template', rest: readonly string[]): Topic | undefined {
  const [namespace, name] = rest;
  return rest.length === 2 && namespace && name ? { type, namespace, name } : undefined;
}

function releaseTopic(rest: readonly string[]): Topic | undefined {
  const [kind, namespace, name] = rest;
  if (rest.length !== 3 || (kind !== 'GameDeployment' && kind !== 'GameStatefulSet')) return undefined;
  return namespace && name ? { type: 'release', kind, namespace, name } : undefined;
}
