import type { ControlDeps } from '#loop/control-deps.ts';
import { addressTarget, addressUrl, type Address } from '#registrations/decide/address.ts';
import type {
  HookSpec,
  ObjectReference,
  Registration,
  Surroundings,
} from '#registrations/decide/registration.ts';
import { resourceVersionOf, type KubeObject } from '#kube/object.ts';
import { hookObjects } from './hook-secrets.ts';
import { HookLine } from './hook-line.ts';
import { ReferenceWatch, Unreadable } from './reference-watch.ts';
import { endpoints, services } from './resources.ts';
import { serviceOfHost, wayOfService } from './service-way.ts';

export type HookBearingsDeps = ControlDeps & {
  readonly surroundings: Surroundings;
  readonly again: (name: string) => void;
};

/** Finds the hooks of registrations, and what is needed to call them, and follows both. */
export class HookBearings {
  readonly #deps: HookBearingsDeps;
  readonly #references: ReferenceWatch;

  constructor(deps: HookBearingsDeps) {
    this.#deps = deps;
    this.#references = new ReferenceWatch({ ...deps, changed: deps.again });
  }

  /** The line to a hook. Nothing goes over it until it was oriented. */
  line(hook: HookSpec, healthChanged: () => void): HookLine {
    const { surroundings, client } = this.#deps;
    return new HookLine({
      ...this.#deps,
      hook,
      healthChanged,
      namespace: surroundings.namespace,
      detour: async (url, signal) => {
        const key = serviceOfHost(url, surroundings);
        if (key === undefined) return undefined;
        const [service, behind] = await Promise.all(
          [services, endpoints].map((resource) => client.get(resource, key, signal)),
        );
        if (service?.type !== 'ok') return undefined;
        return wayOfService(url, service.object, behind?.type === 'ok' ? behind.object : undefined);
      },
    });
  }

  /** Tells a line where its hook is. */
  async orient(
    { name }: Pick<Registration, 'name'>,
    { hook, line }: { readonly hook: HookSpec; readonly line: HookLine },
    signal: AbortSignal,
  ): Promise<Address> {
    const { surroundings } = this.#deps;
    const ref = addressTarget(hook.address, surroundings.namespace);
    const kept = hookObjects(hook, surroundings.namespace);
    const wanted = [...kept, ...(ref === undefined ? [] : [ref])];
    const found = await this.#read(name, wanted, signal);
    if (typeof found === 'string') {
      const address = { type: 'unresolved', message: found } as const;
      line.bearings = { address, kept: () => undefined, versions: '' };
      return address;
    }
    const target = ref === undefined ? undefined : found[kept.length];
    const address = addressUrl({ address: { ...hook.address, ref }, target, surroundings });
    line.bearings = {
      address,
      kept: (kind, name) => found[kept.findIndex((each) => each.kind === kind && each.name === name)],
      versions: kept.map((_, i) => resourceVersionOf(found[i] ?? {})).join(' '),
    };
    return address;
  }

  release(name: string): void {
    this.#references.release(name);
  }

  close(): Promise<void> {
    return this.#references.close();
  }

  /** A text says why not. */
  async #read(
    name: string,
    wanted: readonly ObjectReference[],
    signal: AbortSignal,
  ): Promise<readonly (KubeObject | undefined)[] | string> {
    try {
      return await this.#references.hold(name, wanted, signal);
    } catch (error) {
      if (error instanceof Unreadable) return error.message;
      throw error;
    }
  }
}
