import { at } from '#base/json.ts';
import type { KubeClient } from '#edge/kube/client.ts';
import type { Resource } from '#kube/resource.ts';
import type { Diagnosis } from './diagnosis.ts';
import { rightText, type WishedRight } from './wished-rights.ts';

/** Whose rights: those of the user of the command unless a user is named. */
export type RightsOf = {
  readonly user: { readonly name: string; readonly groups: readonly string[] } | undefined;
  /** In sentences, such as "the controllers". */
  readonly called: string;
  readonly remedy: string;
};

const review = (plural: string): Resource => ({
  group: 'authorization.k8s.io',
  version: 'v1',
  plural,
  namespaced: false,
});
const parallel = 8;

/** Asks the API server about each right. */
export async function checkRights(
  client: Pick<KubeClient, 'create'>,
  wishes: readonly WishedRight[],
  whose: RightsOf,
  signal: AbortSignal,
): Promise<Diagnosis> {
  const lacking: WishedRight[] = [];
  for (let at = 0; at < wishes.length; at += parallel) {
    const some = wishes.slice(at, at + parallel);
    const answers = await Promise.all(some.map((wish) => isAllowed(client, wish, whose.user, signal)));
    if (answers.includes(undefined)) return notAsked(whose);
    lacking.push(...some.filter((_, i) => answers[i] === false));
  }
  const [first, ...more] = lacking;
  if (first === undefined)
    return { check: 'rights', state: 'ok', message: `${capital(whose.called)} may do all that is needed.` };
  const others = more.length === 0 ? '' : ` and ${more.length} more`;
  return {
    check: 'rights',
    state: 'failed',
    message: `${capital(whose.called)} may not ${rightText(first)}${others}.`,
    remedy: whose.remedy,
  };
}

/** Undefined when the user of the command may not ask about others. */
async function isAllowed(
  client: Pick<KubeClient, 'create'>,
  { namespace, ...wish }: WishedRight,
  user: RightsOf['user'],
  signal: AbortSignal,
): Promise<boolean | undefined> {
  const kind = user === undefined ? 'SelfSubjectAccessReview' : 'SubjectAccessReview';
  const object = {
    apiVersion: 'authorization.k8s.io/v1',
    kind,
    spec: {
      resourceAttributes: { ...wish, ...(namespace === '' ? {} : { namespace }) },
      ...(user === undefined ? {} : { user: user.name, groups: user.groups }),
    },
  };
  const asked = await client.create(review(`${kind.toLowerCase()}s`), object, signal);
  return asked.type === 'ok' ? at(asked.object, 'status', 'allowed') === true : undefined;
}

const notAsked = ({ called }: RightsOf): Diagnosis => ({
  check: 'rights',
  state: 'unknown',
  message: `You may not ask what ${called} may do.`,
  remedy: 'Run the check as a user who may create subjectaccessreviews.authorization.k8s.io.',
});

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
