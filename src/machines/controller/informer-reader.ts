import type { HookTemplate } from '#hooks/kinds/hook-template.ts';
import { textAt } from '#base/json.ts';
import type { ControlDeps } from '#loop/control-deps.ts';
import { hookRuns, hookTemplates } from '#hooks/kinds/resources.ts';
import { templateOf } from '#hooks/read.ts';
import {
  byName,
  hostsOf,
  unlessDeleting,
  type PlatformReader,
} from '#machines/decide/objects/platform-reader.ts';
import type { Informer } from '#loop/informer.ts';
import type { Newest } from '#loop/owned/newest.ts';
import { ownerIndexes } from '#loop/owned/owned.ts';
import type { KubeObject } from '#kube/object.ts';
import type { MachineIo } from './machine-io.ts';
import { clusters, machines } from '#machines/kinds/resources.ts';

const byHost = { host: hostsOf };

const byCluster = {
  cluster: (object: KubeObject): readonly string[] => {
    const name = textAt(object, 'spec', 'clusterName');
    return name === undefined ? [] : [name];
  },
};

/** A reader over informers, and over the writes of this process that informers do not show yet. */
export class InformerReader implements PlatformReader {
  readonly clusters: Informer;
  readonly machines: Informer;
  readonly runs: Informer;
  readonly templates: Informer;
  readonly newest: Newest;
  readonly underWay: PlatformReader['underWay'];

  constructor({ informers }: Pick<ControlDeps, 'informers'>, { newest, underWay }: MachineIo) {
    this.newest = newest;
    this.underWay = (kind, name) => underWay.get(`${kind}/${name}`);
    this.clusters = informers.informer({ resource: clusters, indexes: byHost });
    this.machines = informers.informer({ resource: machines, indexes: { ...byCluster, ...byHost } });
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
    return this.#newestOf(this.machines.byIndex('cluster', cluster));
  }

  clustersAtHostsOf(object: KubeObject): readonly KubeObject[] {
    return this.#atHostsOf(object, this.clusters);
  }

  machinesAtHostsOf(object: KubeObject): readonly KubeObject[] {
    return this.#atHostsOf(object, this.machines);
  }

  run(namespace: string, name: string): KubeObject | undefined {
    return unlessDeleting(this.runs.get(namespace, name));
  }

  template(namespace: string, name: string): HookTemplate | undefined {
    const found = this.templates.get(namespace, name);
    return found && templateOf(found);
  }

  #atHostsOf(object: KubeObject, informer: Informer): readonly KubeObject[] {
    const found = new Set(hostsOf(object).flatMap((address) => informer.byIndex('host', address)));
    return this.#newestOf([...found]);
  }

  #newestOf(shown: readonly KubeObject[]): readonly KubeObject[] {
    return shown.map((each) => this.newest.of(each)).toSorted(byName);
  }
}
