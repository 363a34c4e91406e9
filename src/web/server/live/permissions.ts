import { at, textAt } from '#base/json.ts';
import { later, seconds, type Clock, type Instant } from '#base/time.ts';
import type { KubeClient } from '#edge/kube/client.ts';
import type { Resource } from '#kube/resource.ts';
import type { Permission } from '#web/wire/release-page.ts';

const reviews: Resource = {
  group: 'authorization.k8s.io',
  version: 'v1',
  plural: 'selfsubjectaccessreviews',
  namespaced: false,
};

export type Access = {
  readonly verb: string;
  readonly resource: Resource;
  readonly namespace: string;
  readonly name: string;
};

/** How long an answer is used again. */
const kept = seconds(30);
const most = 5000;

/** What the user may do, as the cluster says it. */
export class Permissions {
  readonly #client: Pick<KubeClient, 'create'>;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #known = new Map<string, { readonly permission: Permission; readonly until: Instant }>();

  constructor(client: Pick<KubeClient, 'create'>, clock: Pick<Clock, 'now'>) {
    this.#client = client;
    this.#clock = clock;
  }

  async may(access: Access, user: string, signal: AbortSignal): Promise<Permission> {
    const { verb, resource, namespace, name } = access;
    const key = [verb, resource.group, resource.plural, namespace, name].join(' ');
    const found = this.#known.get(key);
    if (found !== undefined && this.#clock.now() < found.until) return found.permission;
    const permission = await this.#ask(access, user, signal);
    if (this.#known.size >= most) this.#known.clear();
    this.#known.set(key, { permission, until: later(this.#clock.now(), kept) });
    return permission;
  }

  async #ask(access: Access, user: string, signal: AbortSignal): Promise<Permission> {
    const { verb, resource, namespace, name } = access;
    const { group, plural } = resource;
    const resourceAttributes = { verb, group, resource: plural, namespace, name };
    const review = {
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SelfSubjectAccessReview',
      spec: { resourceAttributes },
    };
    const outcome = await this.#client.create(reviews, review, signal);
    // A cluster that does not answer this checks the act itself.
    if (outcome.type !== 'ok' || at(outcome.object, 'status', 'allowed') === true)
      return { isAllowed: true, message: '' };
    const why = textAt(outcome.object, 'status', 'reason') ?? '';
    const place = namespace === '' ? '' : ` in namespace ${namespace}`;
    return {
      isAllowed: false,
      message: `${user || 'you'} may not ${verb} ${plural}.${group} ${name}${place}${why === '' ? '' : `: ${why}`}`,
    };
  }
}
