import { reconcileObject } from '#loop/reconcile-object.ts';
import { textAt } from '#base/json.ts';
import { runController, type Controller } from '#loop/controller.ts';
import { keyOf, objectKey, splitKey } from '#loop/delta.ts';
import type { EventRecorder } from '#loop/event-recorder.ts';
import type { Informer } from '#loop/informer.ts';
import { settled, type Next } from '#loop/work-queue.ts';
import { claims, pods, storageClasses, volumes } from '#loop/owned/resources.ts';
import { loopParts, type WorkloadDeps } from '#embedded/controllers/workload/workload-deps.ts';
import { Refused, removeObject, writeObject, writeStatus } from '#loop/owned/write.ts';
import { annotationsOf, type KubeObject } from '#kube/object.ts';
import { claimIndex, claimKeysOf, isUser } from './claim-users.ts';
import { decideClaim, selectedNodeKey, type ClaimStep } from './decide-claim.ts';
import { decideVolume } from './decide-volume.ts';
import { classOf } from './volume-match.ts';

/** Marks keys of volumes; the others are claims. */
const volumeMark = 'volume ';

/** Binds claims to volumes, and provisions new volumes for storage classes. */
export function persistentVolumeController(deps: WorkloadDeps): Controller {
  const work = new BinderWork(deps);
  const reconcileClaim = reconcileObject(work.claims, {
    reconcile: (claim, signal) => work.reconcileClaim(claim, signal),
  });
  const reconcileVolume = reconcileObject(work.volumes, {
    reconcile: (volume, signal) => work.reconcileVolume(volume, signal),
  });
  return runController({
    name: 'persistentvolume-binder',
    ...loopParts(deps),
    sources: [
      {
        informer: work.claims,
        keysOf: ({ object }) => {
          const volume = textAt(object, 'spec', 'volumeName') ?? '';
          return volume === '' ? [keyOf(object)] : [keyOf(object), volumeMark + volume];
        },
      },
      { informer: work.volumes, keysOf: ({ object }) => [volumeMark + keyOf(object), ...claimOf(object)] },
      { informer: work.pods, keysOf: ({ type, object }) => (type === 'added' ? claimKeysOf(object) : []) },
      { informer: work.classes, keysOf: ({ object }) => work.claimsOfClass(object) },
    ],
    reconcile: (key, signal) =>
      key.startsWith(volumeMark)
        ? reconcileVolume(key.slice(volumeMark.length), signal)
        : reconcileClaim(key, signal),
  });
}

/** The key of the claim that a volume refers to. */
function claimOf(volume: KubeObject): readonly string[] {
  const name = textAt(volume, 'spec', 'claimRef', 'name') ?? '';
  return name === '' ? [] : [objectKey(textAt(volume, 'spec', 'claimRef', 'namespace') ?? '', name)];
}

class BinderWork {
  readonly claims: Informer;
  readonly volumes: Informer;
  readonly classes: Informer;
  readonly pods: Informer;
  readonly #deps: WorkloadDeps;
  readonly #events: EventRecorder;

  constructor(deps: WorkloadDeps) {
    this.#deps = deps;
    this.claims = deps.informers.informer({
      resource: claims,
      indexes: { class: (claim) => [classOf(claim)] },
    });
    this.volumes = deps.informers.informer({
      resource: volumes,
      indexes: { class: (volume) => [classOf(volume)] },
    });
    this.classes = deps.informers.informer({ resource: storageClasses });
    this.pods = deps.informers.informer({ resource: pods, indexes: claimIndex });
    this.#events = deps.recorder('persistentvolume-controller');
  }

  claimsOfClass(storageClass: KubeObject): readonly string[] {
    return this.claims
      .byIndex('class', textAt(storageClass, 'metadata', 'name') ?? '')
      .filter((claim) => textAt(claim, 'spec', 'volumeName') === undefined)
      .map(keyOf);
  }

  async reconcileClaim(claim: KubeObject, signal: AbortSignal): Promise<Next> {
    const volumeName = textAt(claim, 'spec', 'volumeName') ?? '';
    const users = this.pods.byIndex('claim', keyOf(claim));
    const step = decideClaim({
      claim,
      storageClass: this.classes.get('', classOf(claim)),
      named: volumeName === '' ? undefined : this.volumes.get('', volumeName),
      volumes: volumeName === '' ? this.volumes.byIndex('class', classOf(claim)) : [],
      hasConsumer: annotationsOf(claim)[selectedNodeKey] !== undefined || users.some(isUser),
    });
    await this.#perform(claim, step, signal);
    return settled;
  }

  async #perform(claim: KubeObject, { action, note }: ClaimStep, signal: AbortSignal): Promise<void> {
    const isNews = action.type === 'none' || (await this.#write(claim, action, signal));
    if (note !== undefined && isNews && !(action.type === 'set status' && isSaid(claim, action.status))) {
      this.#events.record(claim, note);
    }
  }

  async #write(claim: KubeObject, action: ClaimStep['action'], signal: AbortSignal): Promise<boolean> {
    const { client } = this.#deps;
    switch (action.type) {
      case 'none':
        return true;
      case 'create volume': {
        const outcome = await client.create(volumes, action.volume, signal);
        if (outcome.type !== 'ok' && outcome.type !== 'exists') throw new Refused(outcome);
        return outcome.type === 'ok';
      }
      case 'update volume':
        return writeObject(client, volumes, action.volume, signal);
      case 'update claim':
        return writeObject(client, claims, action.claim, signal);
      case 'set status':
        return writeStatus(client, claims, { object: claim, status: action.status }, signal);
    }
  }

  async reconcileVolume(volume: KubeObject, signal: AbortSignal): Promise<Next> {
    const { client, clock } = this.#deps;
    const [key = ''] = claimOf(volume);
    const place = splitKey(key);
    const claim = key === '' ? undefined : this.claims.get(place.namespace, place.name);
    const step = decideVolume(volume, claim, clock.now());
    if (step.type === 'set status')
      await writeStatus(client, volumes, { object: volume, status: step.status }, signal);
    if (step.type === 'delete') await removeObject(client, volumes, volume, signal);
    return settled;
  }
}

const isSaid = (claim: KubeObject, status: KubeObject): boolean =>
  textAt(claim, 'status', 'phase') === textAt(status, 'phase');
