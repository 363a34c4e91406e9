import { chosen } from '#command/chosen-names.ts';
import { ExitError } from '#command/exit.ts';
import { packageVersion } from '#command/package-version.ts';
import { shardsOf } from '#command/shards-flag.ts';
import { checkLabel } from '#kube/names.ts';
import { crdOf } from '#schema/kind/crd.ts';
import { componentNames, type ComponentName } from './install/components.ts';
import { controllerGroups, controlNames, type ControlName } from './install/control-names.ts';
import { installObjects } from './install/install-objects.ts';
import { defaultPlace } from './install/install-place.ts';
import { yamlOf } from './install/kustomize-files.ts';
import { kinds } from './kinds.ts';
import { checkedNamespaces, namespacedControllers } from './namespaces-flag.ts';

export type InstallFlags = {
  readonly print?: boolean;
  readonly namespace: string;
  readonly image?: string;
  readonly controllers: string;
  readonly with?: string;
  readonly dashboard?: boolean;
  readonly namespaces?: string;
  readonly shards?: string;
};

/** The components that `--with` names; controllers and the dashboard have flags of their own. */
const offered = componentNames.filter((name) => !['machines', 'registrations', 'dashboard'].includes(name));

/** `boathook install --print`: everything that an installation needs as one file, for `kubectl apply -f -`. */
export function install(flags: InstallFlags): number {
  if (flags.print !== true)
    throw new ExitError(
      2,
      'boathook install changes no cluster: use --print and apply it, boathook install --print | kubectl apply -f -',
    );
  const { namespace } = flags;
  const [why] = checkLabel(namespace);
  if (why !== undefined) throw new ExitError(2, `--namespace ${namespace} is no name of a namespace: ${why}`);
  const usual = defaultPlace(packageVersion());
  const place = {
    ...usual,
    namespace,
    image: imageOf(flags.image ?? usual.image),
    ...(flags.namespaces === undefined
      ? {}
      : { namespaces: checkedNamespaces('--namespaces', flags.namespaces) }),
    ...(flags.shards === undefined ? {} : { shards: shardsOf(flags.shards) }),
  };
  const names = namesOf(flags);
  const objects = installObjects({ place, names, components: componentsOf(flags, names) });
  process.stdout.write(yamlOf([...kinds.map((kind) => crdOf(kind)), ...objects]));
  return 0;
}

function namesOf({ controllers, namespaces }: InstallFlags): ReadonlySet<ControlName> {
  const names = chosen('--controllers', controllers, controlNames);
  if (names.size === 0)
    throw new ExitError(
      2,
      `--controllers none installs nothing that runs: choose from ${controlNames.join(', ')}`,
    );
  return namespaces === undefined ? names : namespacedControllers(names, controllers === 'all');
}

function componentsOf(flags: InstallFlags, names: ReadonlySet<ControlName>): ReadonlySet<ComponentName> {
  const added = chosen('--with', flags.with ?? 'none', offered);
  if (added.has('dashboard-proxy') && flags.dashboard !== true)
    throw new ExitError(2, '--with dashboard-proxy needs --dashboard');
  const groups = (['machines', 'registrations'] as const).filter((group) =>
    controllerGroups[group].some((name) => names.has(name)),
  );
  return new Set([...groups, ...(flags.dashboard === true ? (['dashboard'] as const) : []), ...added]);
}

/** As in a pod: anything without blanks, so that a mistake in a script does not end in a broken file. */
function imageOf(text: string): string {
  if (/^[\w./:@-]+$/.test(text)) return text;
  throw new ExitError(2, `--image ${JSON.stringify(text)} is no name of an image: write HOST/NAME:TAG`);
}
