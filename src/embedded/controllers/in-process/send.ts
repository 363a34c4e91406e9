import type { JsonObject } from '#base/json.ts';
import type { Answer, Cluster } from './cluster.ts';
import { Refused } from './refused.ts';

export type Request = {
  readonly method: 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly contentType?: string;
  readonly body: JsonObject;
};

/** The name under which all built-in controllers act, and own fields. */
const userAgent = 'kube-controller-manager';

/** Sends a write; every refusal but the tolerated ones is thrown. */
export async function send(
  cluster: Cluster,
  request: Request,
  signal: AbortSignal,
  tolerated: readonly number[] = [],
): Promise<Answer> {
  const answer = await cluster.send({ ...request, userAgent, signal });
  if (answer.status >= 400 && !tolerated.includes(answer.status)) throw new Refused(answer);
  return answer;
}
