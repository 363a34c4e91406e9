import type { HookTemplate } from '#api/hook/hook-template.ts';
import { textAt } from '#base/json.ts';
import type { ControlDeps } from '#control/control-deps.ts';
import { hookRuns, hookTemplates } from '#control/hook/resources.ts';
import type { Informer } from '#loop/informer.ts';
import { Newest } from '#loop/owned/newest.ts';
import { ownerIndexes } from '#loop/owned/owned.ts';
import { isDeleting, type KubeObject } from '#kube/object.ts';
import { clusters, machines } from './resources.ts';

const byCluster = {
  cluster: (object: KubeObject): readonly string[] => {
    const name = textAt(object, 'spec', 'clusterName');
    return name === undefined ? [] : [name];
  },
};

/** What the controllers of Clusters and Machines look at. */
export class Sight {
  readonly clusters: Informer;
  readonly machines: Informer;
  readonly runs: Informer;
  readonly templates: Informer;
  readonly newest = new Newest();

  constructor({ informers }: Pick<ControlDeps, 'informers'>) {
    this.clusters = informers.informer({ resource: clusters });
    this.machines = informers.informer({ resource: machines, indexes: byCluster });
    this.runs = informers.informer({ resource: hookRuns, indexes: ownerIndexes });
    this.templates = informers.informer({ resource: hookTemplates });
  }

  cluster(name: string): KubeObject | undefined {
    const shown = this.clusters.get('', name);
    return shown && this.newest.of(shown);
  }

  machine(name: string): KubeObject | undefined {
    const shown = this.machines.get('', name);
    return shown && this.newest.of(shown);
  }

  machinesOf(cluster: string): readonly KubeObject[] {
    return this.machines
      .byIndex('cluster', cluster)
      .map((machine) => this.newest.of(machine))
      .toSorted((a, b) => (nameIn(a) < nameIn(b) ? -1 : 1));
  }

  run(namespace: string, name: string): KubeObject | undefined {
    const found = this.runs.get(namespace, name);
    return found === undefined || isDeleting(found) ? undefined : found;
  }

  /** The server has checked it against the schema that the type was made from. */
  template(namespace: string, name: string): HookTemplate | undefined {
    return this.templates.get(namespace, name) as unknown as HookTemplate | undefined;
  }
}

const nameIn = (object: KubeObject): string => textAt(object, 'metadata', 'name') ?? '';
