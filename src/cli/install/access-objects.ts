import type { KubeObject } from '#kube/object.ts';
import { controllerGroups, type ControllerGroup, type ControlName } from './control-names.ts';
import type { GrantName } from './rights.ts';
import { accountObjects, commonRoles, grantRoles, groupRoles, type RolePlace } from './role-objects.ts';

/** The ServiceAccount, roles and bindings that the named controllers need, for `kubectl apply`. */
export const accessObjects = (
  names: ReadonlySet<ControlName>,
  place: RolePlace,
  added: readonly GrantName[] = [],
): readonly KubeObject[] => [
  ...accountObjects(place),
  ...commonRoles(place),
  ...(Object.keys(controllerGroups) as ControllerGroup[]).flatMap((group) => groupRoles(group, names, place)),
  ...added.flatMap((grant) => grantRoles(grant, place)),
];
