import type { Json } from '#base/json.ts';
import type { Random } from '#base/random.ts';
import type { Tasks } from '#base/tasks.ts';
import type { Clock, Instant, Millis } from '#base/time.ts';
import type { ApiRequest } from '#kube/http.ts';
import type { KubeObject } from '#kube/object.ts';
import type { User } from '#kube/user.ts';
import type { AccessControl } from '#embedded/server/rbac/access.ts';
import type { Registry } from '#embedded/server/registry/registry.ts';
import type { ApiResource } from '#embedded/server/registry/resource.ts';
import type { ResourceTarget } from './route.ts';
import type { Store } from '#embedded/server/store/store.ts';

export type YamlParser = {
  /** One document; duplicate keys are reported by their paths. */
  parse(text: string): { readonly value: Json; readonly duplicates: readonly string[] };
  print(value: Json): string;
};

/** The parts of the server that every verb uses. */
export type ServerContext = {
  readonly store: Store;
  readonly registry: Registry;
  readonly clock: Clock;
  readonly random: Random;
  readonly tasks: Tasks;
  readonly yaml: YamlParser;
  readonly access: AccessControl;
  /** The logs of containers; undefined without simulated nodes. */
  readonly logs: () => LogSource | undefined;
  /** Between two bookmarks of a watch; undefined: a minute. */
  readonly bookmarkEvery?: Millis | undefined;
};

export type LogRequest = {
  readonly pod: KubeObject;
  readonly container: string;
  readonly previous: boolean;
  readonly tailLines: number | undefined;
  readonly since: Instant | undefined;
  readonly timestamps: boolean;
  readonly limitBytes: number | undefined;
};

/** The logs of containers; simulated nodes provide them. */
export type LogSource = {
  /** Undefined when the container never started, or has no previous run. */
  read(request: LogRequest): string | undefined | Promise<string | undefined>;
  follow(request: LogRequest, signal: AbortSignal): AsyncIterable<string>;
};

/** What authorization looks at, beyond the object. */
export type WriteAttempt = Pick<Call, 'request' | 'resource' | 'target' | 'user'>;

/** Throws if the user may not write this object; `old` is undefined when the write creates it. */
export type AuthorizeWrite = (object: KubeObject, old: KubeObject | undefined) => void;

/** One request for a resource, parsed and authenticated. */
export type Call = {
  readonly request: ApiRequest;
  readonly resource: ApiResource;
  readonly target: ResourceTarget;
  readonly query: URLSearchParams;
  readonly user: User;
  /** Collected on the way; become Warning headers. */
  readonly warnings: string[];
  /** Undefined when the user may write everything. */
  readonly authorizeWrite: AuthorizeWrite | undefined;
};

/** The namespace of a call; empty for cluster-scoped resources. */
export const namespaceOf = (call: Call): string => call.target.namespace ?? '';

export const nameOf = (call: Call): string => call.target.name ?? '';

export const keyOf = (call: Call): string => `${namespaceOf(call)}/${nameOf(call)}`;
