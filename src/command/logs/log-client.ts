import { later, type Clock, type Instant, type Millis } from '#base/time.ts';
import type { KubeClient } from '#edge/kube/client.ts';
import { outcomeOf, type Refusal } from '#edge/kube/outcome.ts';
import type { TransportResponse } from '#edge/kube/transport.ts';
import type { ClusterTransport } from '#edge/kube/undici-transport.ts';
import { Unavailable } from '#edge/kube/unavailable.ts';
import { objectPath, queryOf, type QueryValue, type Resource } from '#kube/resource.ts';
import { configMaps, endpointMap, endpointsIn, type PublishedEndpoint } from './published-endpoint.ts';

/** What is wanted of the log of an object. */
export type LogQuestion = {
  readonly resource: Resource;
  readonly name: string;
  readonly query?: Readonly<Record<string, QueryValue>>;
  /** The header Range, such as `bytes=0-1023`. */
  readonly range?: string;
};

export type LogAnswer =
  | { readonly type: 'ok'; readonly response: TransportResponse }
  /** `message` names the object, the cause and the remedy. */
  | {
      readonly type: 'unpublished' | 'unreachable' | 'unauthorized' | 'forbidden' | 'missing' | 'failed';
      readonly message: string;
    };

export type LogProblem = Exclude<LogAnswer, { readonly type: 'ok' }>;

/** Asks a controller for a log. */
export type AskLog = (question: LogQuestion, signal: AbortSignal) => Promise<LogAnswer>;

/** Reads logs that controllers serve, with the identity of one user. */
export type LogClient = {
  readonly ask: AskLog;
  close(): Promise<void>;
};

export type LogClientDeps = {
  readonly client: Pick<KubeClient, 'get'>;
  /** The namespace of the controllers. */
  readonly namespace: string;
  /** Connects to an endpoint with the credentials of the user. */
  readonly dial: (endpoint: PublishedEndpoint) => ClusterTransport;
  /** For readers that must not wait: how long an answer may take, and how long a silent endpoint is not asked again. */
  readonly rest?: Rest;
};

type Rest = {
  readonly patience: Millis;
  readonly span: Millis;
  readonly clock: Pick<Clock, 'now' | 'after'>;
};

type Open = {
  readonly endpoint: PublishedEndpoint;
  readonly dialled: ClusterTransport;
  away?: { readonly answer: LogAnswer; readonly until: Instant };
};

/** Finds the endpoint through the API server, whose answer is verified, and trusts only the authority named there. */
export function openLogClient({ client, namespace, dial, rest }: LogClientDeps): LogClient {
  const open = new Map<string, readonly Open[]>();
  const connect = async (resource: Resource, signal: AbortSignal): Promise<readonly Open[] | LogProblem> => {
    const found = await client.get(configMaps, { namespace, name: endpointMap }, signal);
    if (found.type === 'unauthorized') return { type: 'unauthorized', message: found.message };
    if (found.type !== 'ok' && found.type !== 'not-found')
      return { type: 'forbidden', message: unreadable(namespace, found.message) };
    const endpoints = found.type === 'ok' ? endpointsIn(found.object, resource) : [];
    if (endpoints.length === 0) return { type: 'unpublished', message: unpublished(resource, namespace) };
    const known = open.get(resource.plural) ?? [];
    const opened = endpoints.map(
      (endpoint): Open =>
        known.find((each) => isSame(each.endpoint, endpoint)) ?? { endpoint, dialled: dial(endpoint) },
    );
    open.set(resource.plural, opened);
    await Promise.all(known.filter((each) => !opened.includes(each)).map(({ dialled }) => dialled.close()));
    return opened;
  };
  const askOne = async (opened: Open, question: LogQuestion, signal: AbortSignal): Promise<LogAnswer> => {
    const now = rest?.clock.now();
    if (now !== undefined && opened.away !== undefined && now < opened.away.until) return opened.away.answer;
    const answer = await soon(rest, signal, (limited) => askEndpoint(opened, question, limited));
    if (answer.type === 'unreachable' && rest !== undefined)
      opened.away = { answer, until: later(rest.clock.now(), rest.span) };
    return answer;
  };
  return {
    async ask(question, signal) {
      const opened = await connect(question.resource, signal);
      if ('type' in opened) return opened;
      const answers: LogAnswer[] = [];
      // With shards one of the processes has it.
      for (const each of opened) {
        const answer = await askOne(each, question, signal);
        if (answer.type !== 'missing' && answer.type !== 'unreachable') return answer;
        answers.push(answer);
      }
      return answers.find(({ type }) => type === 'missing') ?? answers[0] ?? noAnswer;
    },
    async close() {
      await Promise.all([...open.values()].flat().map(({ dialled }) => dialled.close()));
      open.clear();
    },
  };
}

const noAnswer: LogProblem = { type: 'failed', message: 'no controller was asked for the log' };

/** Gives up when no answer comes in time. One that comes may last. */
async function soon(
  rest: Rest | undefined,
  signal: AbortSignal,
  act: (signal: AbortSignal) => Promise<LogAnswer>,
): Promise<LogAnswer> {
  if (rest === undefined) return act(signal);
  const late = new AbortController();
  const cancel = rest.clock.after(rest.patience, () =>
    late.abort(new Unavailable(`no answer in ${rest.patience / 1000} s`)),
  );
  try {
    return await act(AbortSignal.any([signal, late.signal]));
  } finally {
    cancel();
  }
}

const isSame = (one: PublishedEndpoint, other: PublishedEndpoint): boolean =>
  one.url === other.url && one.ca === other.ca;

async function askEndpoint(
  { endpoint, dialled }: Open,
  question: LogQuestion,
  signal: AbortSignal,
): Promise<LogAnswer> {
  try {
    return await askThrough(dialled.transport, question, signal);
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    return { type: 'unreachable', message: unreachable(endpoint, error.message) };
  }
}

/** Asks a log endpoint. Throws `Unavailable` when it does not answer. */
export async function askThrough(
  transport: ClusterTransport['transport'],
  { resource, name, query = {}, range }: LogQuestion,
  signal: AbortSignal,
): Promise<LogAnswer> {
  const response = await transport({
    method: 'GET',
    path: objectPath({ ...resource, namespaced: false }, { name }, 'log'),
    query: queryOf(query),
    headers: { accept: '*/*', 'user-agent': 'boathook', ...(range === undefined ? {} : { range }) },
    signal,
  });
  if (response.status < 400) return { type: 'ok', response };
  const outcome = await outcomeOf(response);
  return outcome.type === 'ok'
    ? { type: 'failed', message: `the log endpoint answered ${response.status}` }
    : problemOf(outcome, resource);
}

function problemOf({ type, message }: Refusal, { plural, group }: Resource): LogProblem {
  switch (type) {
    case 'forbidden':
      return {
        type,
        message: `${message}. Ask for a ClusterRole with the verb get on ${plural}/log of ${group}`,
      };
    case 'unauthorized':
      return { type, message: `the controller does not accept your credentials: ${message}` };
    case 'not-found':
    case 'gone':
      return { type: 'missing', message };
    default:
      return { type: 'failed', message };
  }
}

const unreadable = (namespace: string, why: string): string =>
  `the ConfigMap ${namespace}/${endpointMap}, which says where logs are served, cannot be read: ${why}. To let all users read it: boathook access | kubectl apply -f -`;

const unpublished = ({ plural, group }: Resource, namespace: string): string =>
  `no controller serves the logs of ${plural}.${group}: the ConfigMap ${namespace}/${endpointMap} does not name one. Start boathook controller, or name the namespace of its Lease`;

const unreachable = ({ url, holder }: PublishedEndpoint, why: string): string =>
  `the controller ${holder}, which serves logs at ${url}, cannot be reached: ${why}. ${
    isLoopback(url)
      ? 'It listens on the loopback address of its own machine: run the command there, or start it with --log-address'
      : 'Is it running, and is its address reachable from here? In a cluster: kubectl port-forward, with --log-server'
  }`;

const isLoopback = (url: string): boolean => /^https:\/\/(?:127\.|\[::1\]|localhost)/.test(url);
