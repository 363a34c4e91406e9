import type { ObjectKey, Resource } from '#kube/resource.ts';
import { namespace, type RegistrationServer } from './registration-server.ts';

type Taken = { readonly resource: Resource; readonly key: ObjectKey };

/** People whose objects have the names of children. */
export class Strangers {
  readonly #server: RegistrationServer;
  readonly #taken: Taken[] = [];

  constructor(server: RegistrationServer) {
    this.#server = server;
  }

  /** Deletes a child, if it is there, and makes another object of its name. */
  take(instance: string, plural: 'deployments' | 'services'): void {
    const { api } = this.#server;
    const group = plural === 'deployments' ? 'apps' : '';
    const resource: Resource = { group, version: 'v1', plural, namespaced: true };
    const key = { namespace, name: `kuard-${instance}` };
    this.#server.write(() => api.remove(resource, key));
    this.#server.write(() => api.create(resource, { metadata: key, spec: {} }));
    this.#taken.push({ resource, key });
  }

  /** They delete their objects. */
  leave(): void {
    for (const { resource, key } of this.#taken.splice(0))
      this.#server.write(() => this.#server.api.remove(resource, key));
  }
}
