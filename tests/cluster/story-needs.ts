import type { TestCluster } from './test-cluster.ts';

/**
 * Where the tests of a file can run. `anywhere`: on the cluster of `npm run test:cluster` too. `embedded`: only on the
 * embedded server in the process of the test, for a reason; of the whole file, or of the tests that are named.
 * `bare`: not where other controllers of Kubernetes act on the same objects.
 */
export type StoryNeeds =
  | {
      readonly runs: 'anywhere' | 'bare';
      readonly except?: Readonly<Record<string, string>>;
      /** Tests that other controllers of Kubernetes would disturb. */
      readonly bare?: readonly string[];
    }
  | { readonly runs: 'embedded'; readonly why: string };

const anywhere: StoryNeeds = { runs: 'anywhere' };
const bare: StoryNeeds = { runs: 'bare' };
const embedded = (why: string): StoryNeeds => ({ runs: 'embedded', why });

export const storyNeeds: Readonly<Record<string, StoryNeeds>> = {
  'apiserver-definitions.test.ts': {
    runs: 'anywhere',
    except: {
      'columns are those': 'it moves the clock of the server',
    },
  },
  'apiserver-deletion.test.ts': {
    runs: 'anywhere',
    except: {
      'objects created while their namespace terminates':
        'it needs the order of requests inside of one server process',
    },
  },
  'apiserver-errors.test.ts': {
    runs: 'anywhere',
    except: {
      'every refusal is the Status': 'it looks into the store of the server',
    },
  },
  'apiserver-events.test.ts': embedded(
    'it moves the clock of the server, and chooses how long events are kept',
  ),
  'apiserver-every-resource.test.ts': {
    runs: 'anywhere',
    except: {
      'pages of a cluster-scoped list': 'it chooses how much history the server keeps',
      'typed Go clients': 'it sends or reads protobuf',
    },
  },
  'apiserver-fuzz.test.ts': embedded('it looks into the store of the server'),
  'apiserver-hostile.test.ts': {
    runs: 'anywhere',
    except: {
      'a hostile body is refused whole': 'it looks into the store of the server',
      'a hostile patch is refused whole': 'it looks into the store of the server',
      'a strange path leads nowhere': 'it sends paths that no client sends as they are',
      'a full disk fails the write': 'it fills the disk of the server',
    },
  },
  'apiserver-integers.test.ts': {
    runs: 'anywhere',
    except: {
      'protobuf bodies': 'it sends or reads protobuf',
    },
  },
  'apiserver-limits.test.ts': anywhere,
  'apiserver-reads.test.ts': {
    runs: 'anywhere',
    except: {
      'pages are one list as of one moment': 'it looks into the store of the server',
      'a page of a compacted revision': 'it chooses how much history the server keeps',
      'a revision that does not come': 'it moves the clock of the server',
      'a revision that comes is waited for': 'it looks into the store of the server',
    },
  },
  'apiserver-subresources.test.ts': {
    runs: 'anywhere',
    except: {
      'an eviction checks the budget first':
        'the client of a story elsewhere waits and asks again after a 429',
    },
  },
  'apiserver-watch.test.ts': {
    runs: 'anywhere',
    except: {
      'a request for a compacted revision': 'it chooses how much history the server keeps',
      'one object is watched by its name': 'it uses the old form of watches, below /watch',
      'bookmarks come every minute': 'it moves the clock of the server',
      'a watch ends at its time': 'it moves the clock of the server',
      'a slow watcher is disconnected': 'it chooses how much history the server keeps',
    },
  },
  'apiserver-wire.test.ts': embedded(
    'it tests the listener and the bytes on the wire of the embedded server',
  ),
  'apiserver-writes.test.ts': {
    runs: 'anywhere',
    except: {
      'a write that changes nothing is none': 'it looks into the store of the server',
      'a terminating namespace accepts no new objects':
        'it deletes the namespace default, which has another name in a cluster',
      'a dry run shows all and keeps nothing': 'it looks into the store of the server',
      'strange fields are refused': 'it sends text that is not valid JSON as it is',
    },
  },
  'authorization-reviews.test.ts': embedded(
    'it gives the server tokens, keys or an authorization mode of its own',
  ),
  'authorization-tokens.test.ts': embedded(
    'it gives the server tokens, keys or an authorization mode of its own',
  ),
  'authorization.test.ts': embedded('it gives the server tokens, keys or an authorization mode of its own'),
  'break-glass.test.ts': anywhere,
  'builtin-garbage.test.ts': {
    runs: 'bare',
    except: {
      'a collector stopped after every few writes':
        'it looks between two writes of the collector, which is exact in one process only',
    },
  },
  'builtin-metadata.test.ts': bare,
  'builtin-namespaces.test.ts': anywhere,
  'canary-edited.test.ts': anywhere,
  'canary-killed.test.ts': anywhere,
  'canary-left-behind.test.ts': anywhere,
  'canary-seed.test.ts': anywhere,
  'canary-taken-back.test.ts': anywhere,
  'canary-words.test.ts': embedded('it compares documents with the code and needs no server'),
  'game-clock.test.ts': embedded('it moves the clock of the server'),
  'game-faults.test.ts': anywhere,
  'game-killed.test.ts': {
    runs: 'anywhere',
    except: {
      'killed at any write, a release':
        'it opens a cluster for every write of a controller, which takes too long elsewhere',
    },
  },
  'game-late-claims.test.ts': anywhere,
  'game-lost-creation.test.ts': anywhere,
  'game-observer.test.ts': embedded('it tests the observer of the stories and needs no server'),
  'game-pods-to-delete.test.ts': anywhere,
  'game-random-faults.test.ts': embedded(
    'it plays hundreds of releases with faults, which takes too long elsewhere',
  ),
  'game-webhooks.test.ts': anywhere,
  'hooks-clock.test.ts': embedded('it sets the clock of the server back'),
  'hooks-cluster.test.ts': anywhere,
  'hooks-edits.test.ts': anywhere,
  'hooks-faults.test.ts': {
    runs: 'anywhere',
    except: {
      'a controller that dies ':
        'it lets time pass in two places at once, which is exact in one process only',
    },
  },
  'hooks-named.test.ts': anywhere,
  'hooks-new-provider.test.ts': embedded('it tests the list of providers and needs no server'),
  'hooks-snapshot.test.ts': anywhere,
  'hooks-stopped.test.ts': anywhere,
  'hooks-verdict.test.ts': anywhere,
  'in-place-order.test.ts': anywhere,
  'log-endpoint.test.ts': {
    runs: 'anywhere',
    except: {
      'each reader is checked by the API server':
        'the server would have to accept tokens and certificates of the story',
      'an output in parts, its last lines':
        'the server would have to accept tokens and certificates of the story',
      'a follower is cut off when the endpoint closes':
        'the server would have to accept tokens and certificates of the story',
      'the last call of a hook': 'the server would have to accept tokens and certificates of the story',
    },
  },
  'log-shards.test.ts': anywhere,
  'loop-controller.test.ts': anywhere,
  'loop-events.test.ts': anywhere,
  'loop-informer-proxy.test.ts': anywhere,
  'loop-informer-tls.test.ts': anywhere,
  'loop-informer.test.ts': {
    runs: 'anywhere',
    except: {
      'after a break longer than the history': 'it chooses how much history the server keeps',
      'whatever happens, the cache ends': 'it chooses how much history the server keeps',
      'the same seed gives the same events': 'it chooses how much history the server keeps',
    },
  },
  'loop-leader.test.ts': anywhere,
  'loop-namespaces.test.ts': anywhere,
  'loop-priority.test.ts': anywhere,
  'loop-shards.test.ts': anywhere,
  'machine-objects-problems.test.ts': anywhere,
  'machine-provider-kept.test.ts': anywhere,
  'machine-scripts-once.test.ts': embedded(
    'it runs operations on a simulated machine on virtual time and needs no server',
  ),
  'metrics-counted.test.ts': anywhere,
  'nodes-admission.test.ts': anywhere,
  'nodes-attacks.test.ts': anywhere,
  'nodes-determinism.test.ts': embedded('it compares two histories of the store, byte for byte'),
  'nodes-faults.test.ts': anywhere,
  'nodes-killed.test.ts': embedded(
    'it opens a cluster for every write of the nodes, which takes too long elsewhere',
  ),
  'nodes-nodes.test.ts': anywhere,
  'nodes-pods.test.ts': {
    runs: 'anywhere',
    except: {
      'a pod is scheduled, pulled and started':
        'it compares the order in which the server stores events that are sent together',
      'the same seed and clock give the same history':
        'it compares two histories of the store, byte for byte',
    },
  },
  'nodes-scheduler.test.ts': anywhere,
  'on-delete.test.ts': anywhere,
  'original-operators.test.ts': {
    runs: 'anywhere',
    except: {
      'a workload that an original operator still writes':
        'it compares the times of managed fields, which the server of a cluster sets',
      'what other controllers leave behind':
        'it compares the times of managed fields, which the server of a cluster sets',
      'an event says when another controller measures':
        'it compares the times of managed fields, which the server of a cluster sets',
    },
  },
  'registration-calls.test.ts': anywhere,
  'registration-defects.test.ts': anywhere,
  'registration-former.test.ts': anywhere,
  'registration-gate.test.ts': anywhere,
  'registration-hooks.test.ts': anywhere,
  'registration-killed.test.ts': {
    runs: 'anywhere',
    except: {
      'killed %s a write, whichever it is':
        'it opens a cluster for every write of a controller, which takes too long elsewhere',
    },
  },
  'registration-left-behind.test.ts': anywhere,
  'registration-lifecycle.test.ts': anywhere,
  'registration-one-call.test.ts': anywhere,
  'registration-openapi.test.ts': anywhere,
  'registration-password.test.ts': anywhere,
  'registration-paused.test.ts': anywhere,
  'registration-poisoned.test.ts': anywhere,
  'registration-references.test.ts': anywhere,
  'registration-scenarios.test.ts': anywhere,
  'registration-snapshot.test.ts': anywhere,
  'registration-successor.test.ts': anywhere,
  'registration-taken-names.test.ts': anywhere,
  'registration-troubles.test.ts': anywhere,
  'registration-withdrawn.test.ts': anywhere,
  'release-acts-killed.test.ts': anywhere,
  'release-acts.test.ts': anywhere,
  'release-approval.test.ts': anywhere,
  'release-explain-reasons.test.ts': anywhere,
  'release-explain-stateful.test.ts': anywhere,
  'release-explain.test.ts': anywhere,
  'release-fields.test.ts': anywhere,
  'release-history.test.ts': anywhere,
  'release-requests.test.ts': {
    runs: 'anywhere',
    except: {
      'the user is the one': 'it expects the name of the user of the embedded server',
    },
  },
  'release-snapshot.test.ts': anywhere,
  'shards-budget.test.ts': anywhere,
  'shards-killed.test.ts': embedded(
    'it opens a cluster for every write of a controller, which takes too long elsewhere',
  ),
  'shards-registrations.test.ts': anywhere,
  'signed-calls.test.ts': anywhere,
  'sim-broken.test.ts': embedded(
    'it breaks decisions on purpose and plays them on a model of the API server',
  ),
  'sim-budgets.test.ts': embedded('it plays releases with faults on a model of the API server'),
  'sim-command.test.ts': embedded('it plays worlds with faults on a model of the API server'),
  'sim-disruptions.test.ts': embedded('it plays releases with faults on a model of the API server'),
  'sim-failures.test.ts': embedded('it plays worlds with faults on a model of the API server'),
  'sim-hookruns.test.ts': embedded('it plays hook runs with faults on a model of the API server'),
  'sim-knowledge.test.ts': embedded('it tests what the simulation notes about watches and needs no server'),
  'sim-machines.test.ts': embedded('it plays operations on machines on virtual time and needs no server'),
  'sim-model-api.test.ts': embedded('it compares a model of the API server with the embedded server'),
  'sim-more-faults.test.ts': embedded('it plays releases with faults on a model of the API server'),
  'sim-registrations.test.ts': embedded('it plays registrations with faults on a model of the API server'),
  'sim-releases.test.ts': embedded('it plays releases with faults on a model of the API server'),
  'sim-step-judge.test.ts': embedded('it tests a judge of the simulation and needs no server'),
  'simulated-shell.test.ts': embedded('it tests the shell of simulated machines and needs no server'),
  'stateful-nodes.test.ts': embedded('it makes a node that no kubelet runs, and says how it is'),
  'stateful-pod-hooks.test.ts': anywhere,
  'stored-objects.test.ts': embedded('it starts with objects that are in the journal of the server already'),
  'web-acts.test.ts': anywhere,
  'web-guards.test.ts': anywhere,
  'web-outputs.test.ts': {
    runs: 'anywhere',
    except: {
      'the output of a script is followed': 'the server would have to accept tokens of the story',
      'a user without the right': 'the server would have to accept tokens of the story',
      'the last request and reply of a hook': 'the server would have to accept tokens of the story',
    },
  },
  'web-pages.test.ts': anywhere,
  'web-session.test.ts': anywhere,
  'web-stream.test.ts': {
    runs: 'anywhere',
    except: {
      'a kind that is not installed':
        'it removes a definition of the product, which others in the cluster use',
    },
  },
  'workload-deletion.test.ts': anywhere,
  'workload-names.test.ts': anywhere,
  'workloads-daemonset.test.ts': anywhere,
  'workloads-deployment.test.ts': anywhere,
  'workloads-job.test.ts': anywhere,
  'workloads-restart.test.ts': anywhere,
  'workloads-services.test.ts': anywhere,
  'workloads-stale.test.ts': anywhere,
  'workloads-statefulset.test.ts': anywhere,
  'workloads-storage.test.ts': anywhere,
  'server.test.ts': {
    runs: 'anywhere',
    bare: ['a deployment gets its defaults', 'the main endpoint does not write the status'],
  },
};

const notBare = 'the cluster has controllers of its own, which would act on the objects of the story';

/** Why a test cannot run in the cluster; undefined: it can. */
export function reasonAgainst(
  file: string,
  test: string,
  { hasControllers }: Pick<TestCluster, 'hasControllers'>,
): string | undefined {
  const needs = storyNeeds[file];
  if (needs === undefined) return undefined;
  if (needs.runs === 'embedded') return needs.why;
  const isDisturbed = needs.runs === 'bare' || needs.bare?.some((name) => isTitle(test, name)) === true;
  if (hasControllers && isDisturbed) return notBare;
  return Object.entries(needs.except ?? {}).find(([name]) => isTitle(test, name))?.[1];
}

/** Whether a title begins as written in the file, where `%s` stands for anything. */
function isTitle(test: string, written: string): boolean {
  const [first = '', ...rest] = written.split('%s');
  let at = test.startsWith(first) ? first.length : -1;
  for (const part of rest) at = at < 0 ? -1 : test.indexOf(part, at);
  return at >= 0;
}
