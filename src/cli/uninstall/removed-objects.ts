import type { KubeObject } from '#kube/object.ts';
import { componentNames, type ComponentName } from '#cli/install/components.ts';
import { controlNames } from '#cli/install/control-names.ts';
import { installObjects } from '#cli/install/install-objects.ts';
import type { InstallPlace } from '#cli/install/install-place.ts';

/**
 * Everything that any installation in a place consists of, the Deployments first. Kinds and the namespace are left out:
 * with them go the objects of users.
 */
export function removedObjects(place: InstallPlace, hasMonitor: boolean): readonly KubeObject[] {
  const names = new Set(controlNames);
  const components = new Set<ComponentName>(
    componentNames.filter((name) => hasMonitor || name !== 'servicemonitor'),
  );
  return installObjects({ place, names, components })
    .filter(({ kind }) => kind !== 'Namespace')
    .toSorted((left, right) => rankOf(left) - rankOf(right));
}

const rankOf = ({ kind }: KubeObject): number => (kind === 'Deployment' ? 0 : 1);
