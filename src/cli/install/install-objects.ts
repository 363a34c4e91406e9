import type { JsonObject } from '#base/json.ts';
import { nameOf, type KubeObject } from '#kube/object.ts';
import { applyJsonPatch } from '#kube/patch/json.ts';
import { components, type ComponentName, type DeploymentPatch } from './components.ts';
import type { ControlName } from './control-names.ts';
import { controllerObjects } from './controller-objects.ts';
import type { InstallPlace } from './install-place.ts';
import { accountObjects, commonRoles, groupRoles } from './role-objects.ts';

export type Installation = {
  readonly place: InstallPlace;
  readonly names: ReadonlySet<ControlName>;
  readonly components: ReadonlySet<ComponentName>;
};

/** What every installation contains, without the CustomResourceDefinitions. */
export const baseObjects = ({ place, names }: Omit<Installation, 'components'>): readonly KubeObject[] => [
  ...accountObjects(place),
  ...commonRoles(place),
  ...groupRoles('base', names, place),
  ...controllerObjects(place, names),
];

/** All objects of an installation, without the CustomResourceDefinitions. */
export function installObjects(installation: Installation): readonly KubeObject[] {
  const { place, names } = installation;
  const chosen = components.filter(({ name }) => installation.components.has(name));
  const objects = [
    ...baseObjects(installation),
    ...chosen.flatMap((component) => component.objects(place, names)),
  ];
  return chosen
    .flatMap((component) => component.patches(place, names))
    .reduce<readonly KubeObject[]>(patched, objects);
}

const patched = (
  objects: readonly KubeObject[],
  { deployment, operations }: DeploymentPatch,
): readonly KubeObject[] =>
  objects.map((object) =>
    object['kind'] === 'Deployment' && nameOf(object) === deployment
      ? (applyJsonPatch(object, operations) as JsonObject)
      : object,
  );
