import type { HookTemplate } from '#hooks/kinds/hook-template.ts';
import { listAt, objectAt, textAt, type Json } from '#base/json.ts';
import type { ControlDeps } from '#loop/control-deps.ts';
import { hookRuns, hookTemplates } from '#hooks/kinds/resources.ts';
import { canonicalAddress } from '#machines/decide/objects/host-address.ts';
import type { Neighbours } from '#machines/decide/objects/host-claims.ts';
import { asCluster, asMachine } from '#machines/decide/objects/objects.ts';
import type { Informer } from '#loop/informer.ts';
import type { Newest } from '#loop/owned/newest.ts';
import { ownerIndexes } from '#loop/owned/owned.ts';
import { isDeleting, type KubeObject } from '#kube/object.ts';
import type { MachineDoors } from './machine-doors.ts';
import { clusters, machines } from '#machines/kinds/resources.ts';

/** Where a Cluster or Machine is, or wants to be: masters that leave a Cluster are in its status only. */
function hostsOf(object: KubeObject): readonly string[] {
  const masters = [...listAt(object, 'spec', 'machines'), ...listAt(object, 'status', 'machines')];
  return [...new Set([...masters, objectAt(object, 'spec')].flatMap(addressIn))];
}

const byHost = { host: hostsOf };

function addressIn(entry: Json | undefined): readonly string[] {
  const ip = textAt(entry, 'ip');
  return ip === undefined ? [] : [canonicalAddress(ip)];
}

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
  readonly newest: Newest;
  readonly #underWay: MachineDoors['underWay'];

  constructor({ informers }: Pick<ControlDeps, 'informers'>, { newest, underWay }: MachineDoors) {
    this.newest = newest;
    this.#underWay = underWay;
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
    return this.machines
      .byIndex('cluster', cluster)
      .map((machine) => this.newest.of(machine))
      .toSorted((a, b) => (nameIn(a) < nameIn(b) ? -1 : 1));
  }

  /** Clusters and Machines on the hosts of this one, or that want to be there. */
  near(object: KubeObject): Neighbours {
    return {
      clusters: this.atHostsOf(object, this.clusters).map(asCluster),
      machines: this.atHostsOf(object, this.machines).map(asMachine),
      underWay: (kind, name) => this.#underWay.get(`${kind}/${name}`),
    };
  }

  /** Itself among them. */
  atHostsOf(object: KubeObject, informer: Informer): readonly KubeObject[] {
    const found = new Set(hostsOf(object).flatMap((address) => informer.byIndex('host', address)));
    return [...found]
      .map((each) => this.newest.of(each))
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
