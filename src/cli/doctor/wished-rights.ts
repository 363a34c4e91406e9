import { commonRights, rightsOf } from '#cli/install/rights.ts';
import { mergedRules, type AccessRule } from '#cli/install/access-rule.ts';
import type { InstalledScope } from './check-controllers.ts';

/** One right to ask the API server about; an empty namespace means all of them, or a cluster-scoped resource. */
export type WishedRight = {
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
  readonly verb: string;
  readonly namespace: string;
};

/** Everything that the controllers of an installation need. */
export function wishedRights({ names, namespaces }: InstalledScope, own: string): readonly WishedRight[] {
  const all = [commonRights, ...[...names].map((name) => rightsOf[name])];
  const places = namespaces ?? [''];
  return [
    ...places.flatMap((place) =>
      wishesOf(
        all.flatMap(({ inNamespaces }) => inNamespaces),
        place,
      ),
    ),
    ...(namespaces === undefined
      ? wishesOf(
          all.flatMap(({ ofCluster }) => ofCluster),
          '',
        )
      : []),
    ...wishesOf(
      all.flatMap(({ inOwn }) => inOwn),
      own,
    ),
  ];
}

/** What a user needs in order to install Boathook. */
export const installRights = (own: string): readonly WishedRight[] => [
  ...wishesOf([rule('', 'namespaces'), rule('apiextensions.k8s.io', 'customresourcedefinitions')], ''),
  ...wishesOf(
    ['clusterroles', 'clusterrolebindings'].map((each) => rule(rbac, each)),
    '',
  ),
  ...wishesOf(
    ['roles', 'rolebindings'].map((each) => rule(rbac, each)),
    own,
  ),
  ...wishesOf([rule('apps', 'deployments'), rule('', 'serviceaccounts'), rule('', 'services')], own),
];

const rbac = 'rbac.authorization.k8s.io';
const rule = (group: string, resource: string): AccessRule => ({
  apiGroups: [group],
  resources: [resource],
  verbs: ['create', 'patch'],
});

const wishesOf = (rules: readonly AccessRule[], namespace: string): readonly WishedRight[] =>
  mergedRules(rules).flatMap(({ apiGroups: [group = ''], resources: [whole = ''], verbs }) => {
    const [resource = '', subresource = ''] = whole.split('/');
    return verbs.map((verb) => ({ group, resource, subresource, verb, namespace }));
  });

/** As `kubectl auth can-i` has it. */
export const rightText = ({ group, resource, subresource, verb, namespace }: WishedRight): string =>
  `${verb} ${resource}${group === '' ? '' : `.${group}`}${subresource === '' ? '' : `/${subresource}`}${namespace === '' ? '' : ` in ${namespace}`}`;
