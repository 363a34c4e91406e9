import { chosen } from '#command/chosen-names.ts';
import { ExitError } from '#command/exit.ts';
import { printYaml } from '#edge/print-yaml.ts';
import { checkLabel, checkSubdomain } from '#kube/names.ts';
import { accessObjects } from './install/access-objects.ts';
import { controlNames } from './install/control-names.ts';
import { grantNames } from './install/rights.ts';
import { grantRoles, secretRoles } from './install/role-objects.ts';
import { checkedNamespaces, namespacedControllers } from './namespaces-flag.ts';

export type AccessFlags = {
  readonly controllers: string;
  readonly leaseNamespace: string;
  readonly serviceAccount: string;
  readonly with?: string;
  readonly namespaces?: string;
  readonly secretsIn?: string;
};

/**
 * `boathook access`: prints the ServiceAccount of the controllers and its RBAC objects, for `kubectl apply -f -`; with
 * `--secrets-in` only the Roles that let it read the Secrets of some namespaces.
 */
export function access(flags: AccessFlags): number {
  const { leaseNamespace: namespace, serviceAccount, secretsIn } = flags;
  checkName('--lease-namespace', namespace, checkLabel(namespace));
  checkName('--service-account', serviceAccount, checkSubdomain(serviceAccount));
  const account = { namespace, serviceAccount };
  const objects =
    secretsIn === undefined
      ? everyRole(flags, account)
      : secretRoles(checkedNamespaces('--secrets-in', secretsIn), account);
  process.stdout.write(objects.map((object) => printYaml(object)).join('---\n'));
  return 0;
}

function everyRole(
  flags: AccessFlags,
  account: { readonly namespace: string; readonly serviceAccount: string },
): ReturnType<typeof accessObjects> {
  const names = chosen('--controllers', flags.controllers, controlNames);
  const added = [...chosen('--with', flags.with ?? 'none', grantNames)];
  const place =
    flags.namespaces === undefined
      ? account
      : { ...account, namespaces: checkedNamespaces('--namespaces', flags.namespaces) };
  if (names.size === 0) {
    if (added.length > 0) return added.flatMap((grant) => grantRoles(grant, place));
    throw new ExitError(2, `--controllers none needs no rights: choose from ${controlNames.join(', ')}`);
  }
  return accessObjects(
    flags.namespaces === undefined ? names : namespacedControllers(names, flags.controllers === 'all'),
    place,
    added,
  );
}

function checkName(flag: string, name: string, complaints: readonly string[]): void {
  if (complaints.length > 0) throw new ExitError(2, `${flag} ${name} is no name: ${complaints.join('; ')}`);
}
