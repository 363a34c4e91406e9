import { textAt } from '#base/json.ts';
import type { KubeClient } from '#edge/kube/client.ts';
import { Refused } from '#loop/owned/write.ts';
import { nameOf, resourceVersionOf, uidOf, type KubeObject } from '#kube/object.ts';
import { hostKeysIn, hostName } from '#machines/decide/objects/host-keys.ts';
import type { HostKeyBook } from './machine-io.ts';
import { clusters } from '#machines/kinds/resources.ts';

type Client = Pick<KubeClient, 'get' | 'patch'>;

/** The host keys in the status of a Cluster and its workers. New keys are recorded in the status of the Cluster. */
export class ScriptHostKeys {
  readonly book: HostKeyBook;
  readonly #client: Client;
  readonly #signal: AbortSignal;
  readonly #recording: Promise<void>[] = [];

  constructor(client: Client, cluster: KubeObject, workers: readonly KubeObject[], signal: AbortSignal) {
    this.#client = client;
    this.#signal = signal;
    // Keys in the Cluster take precedence, as in its own operations.
    const known = new Map([...workers, cluster].flatMap(hostKeysIn));
    const spec = cluster['spec'] as { readonly insecureIgnoreHostKey?: boolean } | undefined;
    this.book = {
      insecure: spec?.insecureIgnoreHostKey === true,
      expected: (address, port) => known.get(hostName(address, port)),
      seen: (address, port, fingerprint) => {
        const host = hostName(address, port);
        known.set(host, fingerprint);
        const recorded = this.#record(cluster, host, fingerprint);
        // `recorded` reports the error; it may occur before `recorded` is called.
        recorded.catch(() => undefined);
        this.#recording.push(recorded);
      },
    };
  }

  /** Settles when the server has all new keys; rejects when another process has recorded a different key. */
  async recorded(): Promise<void> {
    await Promise.all(this.#recording);
  }

  async #record(cluster: KubeObject, host: string, fingerprint: string): Promise<void> {
    const name = nameOf(cluster);
    for (let seen: KubeObject = cluster; ;) {
      const known = new Map(hostKeysIn(seen)).get(host);
      if (known === fingerprint) return;
      if (known !== undefined)
        throw new Error(`${host} shows the key ${fingerprint}, but status.hostKeys of ${name} has ${known}.`);
      const metadata = { uid: uidOf(cluster), resourceVersion: resourceVersionOf(seen) };
      const body = { metadata, status: { hostKeys: { [host]: fingerprint } } };
      const patch = { type: 'merge', body, subresource: 'status' } as const;
      const outcome = await this.#client.patch(clusters, { name }, patch, this.#signal);
      if (outcome.type === 'ok') return;
      if (outcome.type !== 'conflict') throw new Refused(outcome);
      const found = await this.#client.get(clusters, { name }, this.#signal);
      if (found.type !== 'ok') throw new Refused(found);
      if (textAt(found.object, 'metadata', 'uid') !== uidOf(cluster))
        throw new Error(`The Cluster ${name} was created again meanwhile.`);
      seen = found.object;
    }
  }
}
