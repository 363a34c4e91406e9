import { listAt, numberAt } from '#base/json.ts';
import { nameOf, namespaceOf, type KubeObject } from '#kube/object.ts';
import { controlNames, type ControlName } from '#cli/install/control-names.ts';
import type { Diagnosis } from './diagnosis.ts';

/** Whether the pods of the controllers are ready. */
export function checkControllers(deployment: KubeObject): Diagnosis {
  const wanted = numberAt(deployment, 'spec', 'replicas') ?? 1;
  const ready = numberAt(deployment, 'status', 'readyReplicas') ?? 0;
  const name = `Deployment ${namespaceOf(deployment)}/${nameOf(deployment)}`;
  const counted = `${ready} of ${wanted} pods of the ${name} are ready.`;
  if (ready >= wanted && wanted > 0) return { check: 'controllers', state: 'ok', message: counted };
  return {
    check: 'controllers',
    state: ready === 0 ? 'failed' : 'warning',
    message: counted,
    remedy: `See why: kubectl -n ${namespaceOf(deployment)} describe deployment,pods -l app.kubernetes.io/name=boathook`,
  };
}

/** The controllers and namespaces that the arguments of a Deployment name. */
export type InstalledScope = {
  readonly names: ReadonlySet<ControlName>;
  readonly namespaces: readonly string[] | undefined;
};

export function installedScope(deployment: KubeObject): InstalledScope {
  const [container] = listAt(deployment, 'spec', 'template', 'spec', 'containers');
  const args = listAt(container, 'args').map(String);
  const listed = valuesOf(args, '--controllers');
  const namespaces = valuesOf(args, '--namespaces');
  const isAll = listed.length === 0 || listed.includes('all');
  return {
    names: new Set(controlNames.filter((name) => isAll || listed.includes(name))),
    namespaces: namespaces.length === 0 ? undefined : namespaces,
  };
}

/** The values of a flag that may be repeated, as `--flag=a,b` or `--flag a,b`. */
const valuesOf = (args: readonly string[], flag: string): readonly string[] =>
  args
    .flatMap((arg, at) => {
      if (arg.startsWith(`${flag}=`)) return arg.slice(flag.length + 1).split(',');
      return arg === flag ? (args[at + 1] ?? '').split(',') : [];
    })
    .filter((value) => value !== '');
