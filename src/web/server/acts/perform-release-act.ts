import type { Random } from '#base/random.ts';
import { seconds, type Clock } from '#base/time.ts';
import { ExitError } from '#command/exit.ts';
import { mustBe } from '#command/open-cluster.ts';
import type { KubeObject } from '#kube/object.ts';
import type { ActingIn } from '#releases/cli/acting-in.ts';
import { changeTemplate } from '#releases/cli/change-template.ts';
import type { FoundWorkload } from '#releases/cli/find-workload.ts';
import { performAct } from '#releases/cli/perform-act.ts';
import type { ReleaseReport } from '#releases/cli/release-report.ts';
import { imagesOf } from '#releases/cli/set-image-command.ts';
import { signatureOf, type Signature } from '#releases/cli/signature.ts';
import { undoWorkload } from '#releases/cli/undo-command.ts';
import { planImages } from '#releases/decide/template-change/plan-images.ts';
import type { TemplatePlan } from '#releases/decide/template-change/template-plan.ts';
import { identityOf } from '#releases/model/act-identity.ts';
import type { UserIdentity } from '#web/server/live/user-identity.ts';
import { workloadOf } from '#web/server/pages/release-page.ts';
import type { ActReply, ActRequestBody } from '#web/wire/session.ts';
import type { Topic } from '#web/wire/topic.ts';
import { failureOf } from './act-failure.ts';

type ActDeps = {
  readonly identity: Pick<UserIdentity, 'client' | 'user'>;
  readonly clock: Clock;
  readonly random: Random;
  /** Aborts when the server closes. An act goes on when its tab is closed. */
  readonly signal: AbortSignal;
};

type ReleaseAct = ActRequestBody & { readonly verb: Exclude<ActRequestBody['verb'], 'load-example'> };
type ReleaseTopic = Extract<Topic, { readonly type: 'release' }>;

/** How long to wait for the controller. */
const wait = seconds(5);

/** Does what `boathook release` does, with the identity of the user and for the state that the page showed. */
export async function performReleaseAct(
  deps: ActDeps,
  topic: ReleaseTopic,
  body: ReleaseAct,
): Promise<ActReply> {
  const { identity, clock, random, signal } = deps;
  const { kind, title, key } = workloadOf(topic);
  const { client } = identity;
  const cluster: ActingIn = {
    client,
    namespace: key.namespace,
    signal: () => signal,
    whole: signal,
    clock,
    random,
    note: () => undefined,
  };
  try {
    const what = `${title} in namespace ${key.namespace}`;
    const workload = mustBe(await client.get(kind.resource, key, signal), what);
    const signed = signatureOf({ clock, random }, identity.user, body.reason);
    return replyOf(await perform(cluster, { kind, title, workload }, signed, body));
  } catch (error) {
    return failureOf(error);
  }
}

function perform(
  cluster: ActingIn,
  found: FoundWorkload,
  signed: Signature,
  body: ReleaseAct,
): Promise<ReleaseReport> {
  const { verb, identity, toStep, skipHooks, toRevision, images = [] } = body;
  const objection = (workload: KubeObject): TemplatePlan | undefined =>
    otherState(workload, found.title, identity);
  switch (verb) {
    case 'undo':
      return undoWorkload(cluster, found, { signed, wanted: toRevision, objection });
    case 'set-image': {
      if (images.length === 0) throw new ExitError(2, 'no image is given: write CONTAINER=IMAGE');
      const wanted = imagesOf(images);
      const plan = (read: KubeObject): TemplatePlan =>
        objection(read) ?? planImages(read, wanted, found.title);
      return changeTemplate(cluster, found, { verb: 'set image', signed, plan });
    }
    default: {
      const options = { toStep, skipHooks, expect: identity };
      return performAct(cluster, found, { verb, options, signed, wait });
    }
  }
}

function otherState(workload: KubeObject, title: string, shown: string): TemplatePlan | undefined {
  const now = identityOf(workload);
  if (now === shown) return undefined;
  const message = `${title} is at ${now} and not at ${shown} any more, so nothing was changed: look at it again`;
  return { type: 'refused', message };
}

/** A controller that found the release in another state has refused the act. */
const replyOf = ({ result, message }: ReleaseReport): ActReply => ({
  result: result === 'Ignored' ? 'Refused' : result,
  message,
});
