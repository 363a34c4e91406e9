import type { ControlDeps } from '#loop/control-deps.ts';
import { addressTarget, addressUrl, type Address } from '#registrations/decide/address.ts';
import type {
  RegisteredHook,
  ObjectReference,
  Registration,
  ControllerEnvironment,
} from '#registrations/model/registration.ts';
import { resourceVersionOf, type KubeObject } from '#kube/object.ts';
import { hookReferences } from './hook-references.ts';
import { HookClient } from './hook-client.ts';
import { keepCall, type WithLastCalls } from './last-calls.ts';
import { ReferenceWatch } from './reference-watch.ts';
import { Unreadable } from './watched-objects.ts';
import { endpoints, services } from './resources.ts';
import { serviceOfHost, routeToService } from './service-route.ts';

export type HookEndpointsDeps = ControlDeps &
  WithLastCalls & {
    readonly environment: ControllerEnvironment;
    readonly requeue: (name: string) => void;
  };

/** Resolves the addresses and credentials of hooks, and watches the objects that they come from. */
export class HookEndpoints {
  readonly #deps: HookEndpointsDeps;
  readonly #references: ReferenceWatch;

  constructor(deps: HookEndpointsDeps) {
    this.#deps = deps;
    this.#references = new ReferenceWatch({ ...deps, changed: deps.requeue });
  }

  /** A client of a hook. Its calls wait until the endpoint is resolved. */
  client(registration: string, hook: RegisteredHook, onHealthChange: () => void): HookClient {
    const { environment, client, calls } = this.#deps;
    return new HookClient({
      ...this.#deps,
      hook,
      onHealthChange,
      keepCall: calls && ((instance, call) => keepCall(calls, registration, instance, call)),
      namespace: environment.namespace,
      findRoute: async (url, signal) => {
        const key = serviceOfHost(url, environment);
        if (key === undefined) return undefined;
        const [service, behind] = await Promise.all(
          [services, endpoints].map((resource) => client.get(resource, key, signal)),
        );
        if (service?.type !== 'ok') return undefined;
        return routeToService(url, service.object, behind?.type === 'ok' ? behind.object : undefined);
      },
    });
  }

  /** Resolves the endpoint of a hook, and hands it to the client. */
  async resolveEndpoint(
    { name }: Pick<Registration, 'name'>,
    { hook, hookClient }: { readonly hook: RegisteredHook; readonly hookClient: HookClient },
    signal: AbortSignal,
  ): Promise<Address> {
    const { environment } = this.#deps;
    const ref = addressTarget(hook.address, environment.namespace);
    const credentials = hookReferences(hook, environment.namespace);
    const wanted = [...credentials, ...(ref === undefined ? [] : [ref])];
    const found = await this.#read(name, wanted, signal);
    if (typeof found === 'string') {
      const address = { type: 'unresolved', message: found } as const;
      hookClient.endpoint = { address, lookup: () => undefined, versions: '' };
      return address;
    }
    const target = ref === undefined ? undefined : found[credentials.length];
    const address = addressUrl({ address: { ...hook.address, ref }, target, environment });
    hookClient.endpoint = {
      address,
      lookup: (kind, name) =>
        found[credentials.findIndex((each) => each.kind === kind && each.name === name)],
      versions: credentials.map((_, i) => resourceVersionOf(found[i] ?? {})).join(' '),
    };
    return address;
  }

  release(name: string): void {
    this.#references.release(name);
  }

  close(): Promise<void> {
    return this.#references.close();
  }

  /** The objects, or why one cannot be read. */
  async #read(
    name: string,
    wanted: readonly ObjectReference[],
    signal: AbortSignal,
  ): Promise<readonly (KubeObject | undefined)[] | string> {
    try {
      return await this.#references.refer(name, wanted, signal);
    } catch (error) {
      if (error instanceof Unreadable) return error.message;
      throw error;
    }
  }
}
