import { accessObjects } from '#control/access.ts';
import { controlNames } from '#control/start.ts';
import { printYaml } from '#edge/print-yaml.ts';
import { chosen } from './up-options.ts';

export type AccessFlags = {
  readonly controllers: string;
  readonly leaseNamespace: string;
  readonly serviceAccount: string;
};

/** `boathook access`: the account of the controllers and the rights that they need, for `kubectl apply -f -`. */
export function access({ controllers, leaseNamespace, serviceAccount }: AccessFlags): number {
  const names = chosen('--controllers', controllers, controlNames);
  const objects = accessObjects(names, { namespace: leaseNamespace, serviceAccount });
  process.stdout.write(objects.map((object) => printYaml(object)).join('---\n'));
  return 0;
}
