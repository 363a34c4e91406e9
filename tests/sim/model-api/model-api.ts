import { textAt, without } from '#base/json.ts';
import type { Random } from '#base/random.ts';
import type { Clock } from '#base/time.ts';
import { eventRefusal, type Outcome, type Refusal } from '#edge/kube/outcome.ts';
import type { Patch, RemoveOptions, WriteOptions } from '#edge/kube/write-verbs.ts';
import { metaOf, nameOf, namespaceOf, withMeta, type KubeObject } from '#kube/object.ts';
import { applyJsonPatch } from '#kube/patch/json.ts';
import { applyMergePatch } from '#kube/patch/merge.ts';
import { applyStrategicPatch } from '#kube/patch/strategic.ts';
import type { ObjectKey, Resource } from '#kube/resource.ts';
import { alreadyExists, ApiError, notFound, statusOf } from '#kube/status.ts';
import { modelKinds, storageOf, type ModelKind } from './model-kinds.ts';
import { checkNamespace, created, deleted, isOver, updated } from './model-rules.ts';
import { ModelStore } from './model-store.ts';
import { checkApplied, ModelApplies } from './model-apply.ts';

type AppliedPatch = Patch & Pick<WriteOptions, 'subresource' | 'fieldManager' | 'dryRun'>;

const events = '/events';
/** Kinds whose deletion is answered with the object, though it is gone. */
const answersObject = new Set(['Pod', 'Service', 'ServiceAccount', 'PersistentVolumeClaim']);
const success: KubeObject = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success' };

export type ModelApiDeps = { readonly clock: Clock; readonly random: Random };

/**
 * A small API server in memory, with what controllers use: versions, generations, finalizers, preconditions, grace
 * periods, patches and the status subresource. No validation, no admission, no field managers. Every method is
 * synchronous; `model-client.ts` makes a client of it.
 */
export class ModelApi {
  readonly store = new ModelStore();
  readonly clock: Clock;
  readonly #random: Random;
  readonly #kinds = new Map<string, ModelKind>();
  readonly #applies = new ModelApplies();
  #uids = 0;

  constructor({ clock, random }: ModelApiDeps) {
    this.clock = clock;
    this.#random = random;
    for (const kind of modelKinds) this.serve(kind);
  }

  /** Serves one more kind. */
  serve(kind: ModelKind): void {
    this.#kinds.set(kind.storage, kind);
  }

  kindOf(resource: Pick<Resource, 'group' | 'plural'>): ModelKind {
    const found = this.#kinds.get(storageOf(resource));
    if (found === undefined)
      throw new ApiError({
        code: 404,
        reason: 'NotFound',
        message: 'the server could not find the requested resource',
      });
    return found;
  }

  kindNamed(apiVersion: string, kind: string): ModelKind | undefined {
    return [...this.#kinds.values()].find((each) => each.apiVersion === apiVersion && each.kind === kind);
  }

  get(resource: Resource, { namespace = '', name }: ObjectKey): KubeObject {
    const kind = this.kindOf(resource);
    const found = this.store.get(kind.storage, kind.namespaced ? namespace : '', name);
    if (found === undefined) throw notFound({ group: kind.group, resource: kind.plural }, name);
    return found;
  }

  create(resource: Resource, object: KubeObject): KubeObject {
    const kind = this.kindOf(resource);
    const namespace = kind.namespaced ? namespaceOf(object) : '';
    const name = nameOf(object) || `${textAt(object, 'metadata', 'generateName') ?? ''}${this.#suffix()}`;
    if (kind.namespaced) checkNamespace(kind, this.store.get('/namespaces', '', namespace), namespace, name);
    if (this.store.get(kind.storage, namespace, name) !== undefined)
      throw alreadyExists({ group: kind.group, resource: kind.plural }, name);
    const now = this.clock.now();
    // Listeners see events; the store does not keep them.
    if (kind.storage === events) return this.store.pass(events, object);
    return this.store.put(kind.storage, created(kind, object, { namespace, name, uid: this.#uid(), now }));
  }

  update(resource: Resource, object: KubeObject, subresource = ''): KubeObject {
    const live = this.get(resource, { namespace: namespaceOf(object), name: nameOf(object) });
    return this.#write(resource, live, { wanted: object, subresource, isWhole: true });
  }

  patch(resource: Resource, key: ObjectKey, patch: AppliedPatch): KubeObject {
    const kind = this.kindOf(resource);
    if (kind.storage === events)
      return withMeta(patch.body as KubeObject, { name: key.name, namespace: key.namespace ?? '' });
    if (patch.type === 'apply') return this.#apply(kind, key, patch);
    if (patch.type === 'strategic' && kind.isCustom) throw unsupported();
    const { subresource = '' } = patch;
    const live = this.get(resource, key);
    const wanted = patched(kind, live, patch);
    return this.#write(resource, live, { wanted, subresource, isWhole: false });
  }

  remove(resource: Resource, key: ObjectKey, options: RemoveOptions = {}): KubeObject {
    const kind = this.kindOf(resource);
    const live = this.get(resource, key);
    const after = deleted(kind, live, options, this.clock.now());
    if (after === undefined) {
      const last = this.store.remove(kind.storage, live);
      return answersObject.has(kind.kind) ? last : success;
    }
    return after === live ? live : this.store.put(kind.storage, after);
  }

  /** Writes an object as the server's own parts do, such as kubelets: without rules. */
  set(storage: string, object: KubeObject): KubeObject {
    return isOver(object) ? this.store.remove(storage, object) : this.store.put(storage, object);
  }

  #write(
    resource: Resource,
    live: KubeObject,
    {
      wanted,
      subresource,
      isWhole,
    }: { readonly wanted: KubeObject; readonly subresource: string; readonly isWhole: boolean },
  ): KubeObject {
    const kind = this.kindOf(resource);
    const next = updated(kind, { live, wanted, subresource, isWhole });
    return next === live ? live : this.set(kind.storage, next);
  }

  #apply(kind: ModelKind, { namespace = '', name }: ObjectKey, patch: AppliedPatch): KubeObject {
    const { body, fieldManager = '', subresource = '' } = patch;
    const place = kind.namespaced ? { name, namespace } : { name };
    const placed = withMeta(body as KubeObject, place);
    const known = this.store.get(kind.storage, kind.namespaced ? namespace : '', name);
    const manager = `${fieldManager}/${subresource}`;
    checkApplied(kind, placed, known);
    // Nothing else is validated.
    if (patch.dryRun === true) return known ?? placed;
    const live = known ?? this.create(kind, withoutVersion(placed));
    const wanted = this.#applies.applied(live, placed, manager);
    return this.#write(kind, live, { wanted, subresource, isWhole: false });
  }

  /** Unique, and the same for the same seed. */
  #uid(): string {
    this.#uids += 1;
    return `00000000-0000-4000-8000-${String(this.#uids).padStart(12, '0')}`;
  }

  #suffix(): string {
    return Math.floor(this.#random.next() * 36 ** 5)
      .toString(36)
      .padStart(5, '0');
  }
}

/** An apply may name a version of an object that does not exist. */
const withoutVersion = (object: KubeObject): KubeObject => ({
  ...object,
  metadata: without(metaOf(object), 'resourceVersion'),
});

function patched(kind: ModelKind, live: KubeObject, { type, body }: Patch): KubeObject {
  switch (type) {
    case 'merge':
      return applyMergePatch(live, body) as KubeObject;
    case 'json':
      return applyJsonPatch(live, body) as KubeObject;
    case 'strategic':
      return applyStrategicPatch(kind.shape(), live, body) as KubeObject;
    case 'apply':
      throw unsupported();
  }
}

const unsupported = (): ApiError =>
  new ApiError({
    code: 415,
    reason: 'UnsupportedMediaType',
    message: 'the body of the request was in an unknown format',
  });

export const refusalOf = (error: ApiError): Refusal => eventRefusal(statusOf(error));

/** The outcome of a request, as a client of a real server gets it. */
export function outcomeOf(request: () => KubeObject): Outcome {
  try {
    return { type: 'ok', object: request() };
  } catch (error) {
    if (error instanceof ApiError) return refusalOf(error);
    throw error;
  }
}
