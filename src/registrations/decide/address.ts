import { listAt, numberAt, textAt, at } from '#base/json.ts';
import { namespaceOf, nameOf, type KubeObject } from '#kube/object.ts';
import type {
  HookAddress,
  ObjectReference,
  ControllerEnvironment,
} from '#registrations/model/registration.ts';
import { readUri, shownUri, uriProblem, type Uri } from '#registrations/model/uri.ts';

export type Address =
  | { readonly type: 'address'; readonly url: string; readonly warnings: readonly string[] }
  | { readonly type: 'unresolved'; readonly message: string };

/** The object that must be read to resolve an address. */
export function addressTarget({ ref }: HookAddress, namespace: string): ObjectReference | undefined {
  if (ref === undefined) return undefined;
  return { ...ref, namespace: ref.namespace === '' ? namespace : ref.namespace };
}

export type AddressGiven = {
  readonly address: HookAddress;
  readonly target: KubeObject | undefined;
  readonly environment: Pick<ControllerEnvironment, 'clusterDomain'>;
};

/**
 * The URL of an address. With a ref the object gives the host, and the URI gives scheme, port, path and query if it
 * has them; a host in the URI is ignored with a warning.
 */
export function addressUrl({ address, target, environment }: AddressGiven): Address {
  const { uri: text, ref } = address;
  const problem = uriProblem(text, ref !== undefined);
  if (problem !== undefined) return unresolved(`the URI ${shownUri(text ?? '')} ${problem}`);
  const uri = text === undefined ? undefined : readUri(text);
  if (ref === undefined)
    return uri === undefined ? unresolved('neither uri nor ref is given') : found(urlOf(uri), []);
  if (target === undefined) return unresolved(`there is no ${said(ref)}`);
  const base = isService(ref) ? serviceBase(target, uri, environment) : addressableBase(target, ref);
  if (typeof base === 'string') return unresolved(base);
  const host = uri?.host;
  const warnings =
    host === undefined ? [] : [`the host ${host} of the URI is ignored: ${said(ref)} gives the host`];
  return found(urlOf(joined(base, uri)), warnings);
}

/** The host of the object, and the other parts of the URI if it has them. */
const joined = (base: Uri, uri: Uri | undefined): Uri => ({
  scheme: uri?.scheme ?? base.scheme,
  host: base.host,
  port: uri?.port ?? base.port,
  path: uri?.path ?? base.path,
  query: uri?.query ?? base.query,
});

/** A URL without user, query and fragment, which may contain secrets. */
export const publicUrl = (url: string): string =>
  url.replace(/^([^/?#]*\/\/)[^/?#@]*@/, '$1').replace(/[?#].*$/, '');

const unresolved = (message: string): Address => ({ type: 'unresolved', message });
const found = (url: string, warnings: readonly string[]): Address => ({ type: 'address', url, warnings });
const said = ({ kind, namespace, name }: ObjectReference): string =>
  `${kind} ${namespace === '' ? '' : `${namespace}/`}${name}`;
const isService = ({ apiVersion, kind }: ObjectReference): boolean =>
  apiVersion === 'v1' && kind === 'Service';

const defaultPorts: Readonly<Record<string, string>> = { http: '80', https: '443' };

function urlOf({ scheme = 'http', host = '', port, path = '', query }: Uri): string {
  const shown = port === undefined || port === defaultPorts[scheme] ? '' : `:${port}`;
  return `${scheme}://${host}${shown}${path}${query === undefined ? '' : `?${query}`}`;
}

/** The host of a Service, and its first port unless it has the default port of the scheme. */
function serviceBase(
  service: KubeObject,
  uri: Uri | undefined,
  { clusterDomain }: Pick<ControllerEnvironment, 'clusterDomain'>,
): Uri {
  const ports = listAt(service, 'spec', 'ports').map((each) => String(numberAt(each, 'port') ?? ''));
  const scheme = uri?.scheme ?? 'http';
  const usual = defaultPorts[scheme] ?? '';
  return {
    scheme,
    host: serviceHost(nameOf(service), namespaceOf(service), clusterDomain),
    port: ports.includes(usual) ? usual : ports[0],
    path: undefined,
    query: undefined,
  };
}

export const serviceHost = (name: string, namespace: string, clusterDomain: string): string =>
  `${name}.${namespace}.svc.${clusterDomain}`;

/** The URL in the status of an object, or why there is none. */
function addressableBase(target: KubeObject, ref: ObjectReference): Uri | string {
  const url = at(target, 'status', 'address', 'url');
  if (url === undefined || url === '') return `${said(ref)} has no status.address.url`;
  const text = textAt(target, 'status', 'address', 'url');
  if (text === undefined) return `status.address.url of ${said(ref)} is not a string`;
  const uri = readUri(text);
  const isComplete = uri?.host !== undefined && uriProblem(text, false) === undefined;
  return isComplete ? uri : `status.address.url of ${said(ref)} is not a complete URL`;
}
