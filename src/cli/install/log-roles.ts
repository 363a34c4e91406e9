import type { JsonObject } from '#base/json.ts';
import { endpointMap } from '#command/logs/published-endpoint.ts';
import type { KubeObject } from '#kube/object.ts';
import { authenticated } from '#kube/user.ts';

type Place = { readonly namespace: string; readonly serviceAccount: string };

const apiGroup = 'rbac.authorization.k8s.io';

/**
 * For controllers whose objects have logs: they may read which authority signs client certificates, and every user may
 * read where logs are served. `name`: that of the roles of these controllers.
 */
export const logRoles = (name: string, { namespace, serviceAccount }: Place): readonly KubeObject[] => [
  ...readableMap(
    { name: `${name}-client-ca`, namespace: 'kube-system' },
    'extension-apiserver-authentication',
    {
      kind: 'ServiceAccount',
      name: serviceAccount,
      namespace,
    },
  ),
  ...readableMap({ name: `${name}-logs`, namespace }, endpointMap, {
    apiGroup,
    kind: 'Group',
    name: authenticated,
  }),
];

/** A ConfigMap that a subject may get. */
function readableMap(
  metadata: { readonly name: string; readonly namespace: string },
  map: string,
  subject: JsonObject,
): readonly KubeObject[] {
  const apiVersion = `${apiGroup}/v1`;
  const rules = [{ apiGroups: [''], resources: ['configmaps'], resourceNames: [map], verbs: ['get'] }];
  const roleRef = { apiGroup, kind: 'Role', name: metadata.name };
  return [
    { apiVersion, kind: 'Role', metadata, rules },
    { apiVersion, kind: 'RoleBinding', metadata, roleRef, subjects: [subject] },
  ];
}
