import type { KubeObject, WithMetadata } from '#kube/object.ts';
import type { Resource } from '#kube/resource.ts';
import type { Decoder } from './decoder.ts';
import { whenAborted } from './when-aborted.ts';
import { createInformer, type Informer, type InformerDeps } from './informer.ts';
import { joinInformers } from './join-informers.ts';

type RequestKeys = 'resource' | 'namespace' | 'labelSelector' | 'fieldSelector' | 'indexes' | 'decode';
type CommonDeps = Omit<InformerDeps, RequestKeys | 'keeps'> & {
  /** Whether an object of a resource is kept; all are unless given. */
  readonly keeps?: KeepsObject | undefined;
};
export type KeepsObject = (resource: Resource, object: KubeObject) => boolean;
type PlainRequest = Pick<InformerDeps, Exclude<RequestKeys, 'decode'>> & { readonly decode?: undefined };
type DecodingRequest<Decoded extends WithMetadata> = Pick<InformerDeps<Decoded>, RequestKeys> & {
  readonly decode: Decoder<Decoded>;
};

/** Informers that several controllers read: one per resource, selection and decoder. */
export type SharedInformers = {
  /** The only namespaces whose objects they see; undefined: all, and cluster-scoped objects. */
  readonly namespaces: readonly string[] | undefined;
  /** Requests for the same objects share one informer, with the indexes of all of them. */
  informer(request: PlainRequest): Informer;
  informer<Decoded extends WithMetadata>(request: DecodingRequest<Decoded>): Informer<Decoded>;
  /** The informer of all whole objects of a resource, in any version, if there is one. */
  existing(resource: Resource): Informer | undefined;
  /** Runs all informers, those that are requested later included, until the signal aborts. Call it once. */
  run(signal: AbortSignal): Promise<void>;
  /** Resolves when all informers that were requested so far are synced. */
  synced(): Promise<void>;
};

export function shareInformers(common: CommonDeps, namespaces?: readonly string[]): SharedInformers {
  const make = makerOf(common, namespaces);
  const plain = new Map<string, Informer>();
  const decoding = new Map<string, Informer<WithMetadata>>();
  const whole = new Map<string, Informer>();
  const runs: Promise<void>[] = [];
  let running: AbortSignal | undefined;
  const all = (): readonly Pick<Informer, 'run' | 'synced'>[] => [...plain.values(), ...decoding.values()];
  const started = <Made extends Pick<Informer, 'run'>>(informer: Made): Made => {
    if (running !== undefined) runs.push(informer.run(running));
    return informer;
  };
  const plainInformer = (request: PlainRequest): Informer => {
    const id = idOf(request);
    const informer = plain.get(id) ?? started(make.plain(request));
    plain.set(id, informer);
    informer.addIndexes(request.indexes ?? {});
    if (isWhole(request)) whole.set(nameOf(request.resource), informer);
    return informer;
  };
  const decodingInformer = <Decoded extends WithMetadata>(
    request: DecodingRequest<Decoded>,
  ): Informer<Decoded> => {
    const id = `${idOf(request)} ${request.decode.name}`;
    // Decoders of one name decode alike: the informer under this id is of this type.
    const known = decoding.get(id) as Informer<Decoded> | undefined;
    const informer = known ?? started(make.decoding(request));
    decoding.set(id, informer);
    informer.addIndexes(request.indexes ?? {});
    return informer;
  };
  return {
    namespaces,
    informer: <Decoded extends WithMetadata>(request: PlainRequest | DecodingRequest<Decoded>) =>
      request.decode === undefined ? plainInformer(request) : decodingInformer(request),
    existing: (resource) => whole.get(nameOf(resource)),
    async run(signal) {
      running = signal;
      for (const informer of all()) runs.push(informer.run(signal));
      await whenAborted(signal);
      await Promise.all(runs);
    },
    synced: async () => {
      await Promise.all(all().map((informer) => informer.synced));
    },
  };
}

type InformerMaker = {
  plain(this: void, request: PlainRequest): Informer;
  decoding<Decoded extends WithMetadata>(this: void, request: DecodingRequest<Decoded>): Informer<Decoded>;
};

/** Makes one informer, with a watch in each of the namespaces unless the request names one itself. */
function makerOf(given: CommonDeps, namespaces: readonly string[] | undefined): InformerMaker {
  const { keeps, ...common } = given;
  const filterOf = (resource: Resource): Pick<InformerDeps, 'keeps'> =>
    keeps === undefined ? {} : { keeps: (object) => keeps(resource, object) };
  const placesOf = ({
    resource,
    namespace,
  }: Pick<InformerDeps, 'resource' | 'namespace'>): typeof namespaces =>
    resource.namespaced && namespace === undefined ? namespaces : undefined;
  return {
    plain: (request) =>
      joinInformers(placesOf(request), (scope) =>
        createInformer({ ...common, ...request, ...filterOf(request.resource), ...scope }),
      ),
    decoding: <Decoded extends WithMetadata>(request: DecodingRequest<Decoded>) =>
      joinInformers(placesOf(request), (scope) =>
        createInformer<Decoded>({ ...common, ...request, ...filterOf(request.resource), ...scope }),
      ),
  };
}

const idOf = ({
  resource,
  namespace,
  labelSelector,
  fieldSelector,
}: Omit<PlainRequest, 'indexes' | 'decode'>): string =>
  [resource.group, resource.version, resource.plural, namespace, labelSelector, fieldSelector].join(' ');

const nameOf = ({ group, plural }: Resource): string => `${group}/${plural}`;

const isWhole = ({ namespace = '', labelSelector = '', fieldSelector = '' }: PlainRequest): boolean =>
  namespace + labelSelector + fieldSelector === '';
