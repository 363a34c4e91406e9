import { textAt } from '#base/json.ts';
import type { InCluster } from '#command/in-cluster.ts';
import { mustBe } from '#command/open-cluster.ts';
import type { Resource } from '#kube/resource.ts';

const reviews: Resource = {
  group: 'authentication.k8s.io',
  version: 'v1',
  plural: 'selfsubjectreviews',
  namespaced: false,
};

/** The user that the cluster takes this client for; empty where the cluster does not tell it. */
export async function claimedUser({ client, signal }: InCluster): Promise<string> {
  const review = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' };
  const outcome = await client.create(reviews, review, signal());
  if (outcome.type === 'unauthorized') mustBe(outcome, 'SelfSubjectReview');
  return outcome.type === 'ok' ? (textAt(outcome.object, 'status', 'userInfo', 'username') ?? '') : '';
}
