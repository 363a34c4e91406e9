import type { KubernetesProvider } from '#hooks/providers/kubernetes/wire/kubernetes-wire.ts';
import { fillText } from '#hooks/decide/placeholders.ts';

/** The object to read or write. */
export type TargetObject = {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
};

export type FoundTarget =
  | { readonly type: 'target'; readonly target: TargetObject }
  | { readonly type: 'problem'; readonly message: string };

/** Fields come from the metric, then from the arguments of the run, then the default: a Pod in the namespace of the run. */
export function targetOf(
  { target = {} }: KubernetesProvider,
  args: ReadonlyMap<string, string>,
  namespace: string,
): FoundTarget {
  const given = new Map<string, string>();
  for (const [field, text] of Object.entries(target)) {
    const filled = fillText(text, args);
    if (filled.type === 'problem') return { type: 'problem', message: `target.${field}: ${filled.message}` };
    given.set(field, filled.value);
  }
  const first = (...values: readonly (string | undefined)[]): string => values.find(Boolean) ?? '';
  const name = first(given.get('name'), args.get('PodName'));
  if (name === '')
    return { type: 'problem', message: 'no object is named: give target.name or the argument PodName' };
  return {
    type: 'target',
    target: {
      apiVersion: first(given.get('apiVersion'), apiVersionIn(args)),
      kind: first(given.get('kind'), args.get('Kind'), 'Pod'),
      namespace: first(given.get('namespace'), args.get('PodNamespace'), namespace),
      name,
    },
  };
}

function apiVersionIn(args: ReadonlyMap<string, string>): string {
  const group = args.get('Group') ?? '';
  const version = args.get('Version') || 'v1';
  return group === '' ? version : `${group}/${version}`;
}

export const targetText = ({ apiVersion, kind, namespace, name }: TargetObject): string =>
  `${kind} ${namespace}/${name} (${apiVersion})`;
