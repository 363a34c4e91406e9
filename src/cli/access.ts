import { accessObjects } from './access-objects.ts';
import { controlNames } from './start-controllers.ts';
import { printYaml } from '#edge/print-yaml.ts';
import { checkLabel, checkSubdomain } from '#kube/names.ts';
import { ExitError } from '#command/exit.ts';
import { chosen } from '#command/chosen-names.ts';

export type AccessFlags = {
  readonly controllers: string;
  readonly leaseNamespace: string;
  readonly serviceAccount: string;
};

/** `boathook access`: prints the ServiceAccount of the controllers and its RBAC objects, for `kubectl apply -f -`. */
export function access({ controllers, leaseNamespace, serviceAccount }: AccessFlags): number {
  const names = chosen('--controllers', controllers, controlNames);
  if (names.size === 0)
    throw new ExitError(2, `--controllers none needs no rights: choose from ${controlNames.join(', ')}`);
  checkName('--lease-namespace', leaseNamespace, checkLabel(leaseNamespace));
  checkName('--service-account', serviceAccount, checkSubdomain(serviceAccount));
  const objects = accessObjects(names, { namespace: leaseNamespace, serviceAccount });
  process.stdout.write(objects.map((object) => printYaml(object)).join('---\n'));
  return 0;
}

function checkName(flag: string, name: string, complaints: readonly string[]): void {
  if (complaints.length > 0) throw new ExitError(2, `${flag} ${name} is no name: ${complaints.join('; ')}`);
}
