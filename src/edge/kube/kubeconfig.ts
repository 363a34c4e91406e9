import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { at, isArray, objectAt, textAt, type Json } from '#base/json.ts';
import { Secret } from '#edge/secret.ts';
import type { ClientCertificate, ClusterAccess, Impersonation, ApiLogin, UserAccess } from './access.ts';
import { execPluginOf } from './exec-config.ts';
import { mergeKubeconfigs, type Entry, type MergedConfig } from './kubeconfig-files.ts';
import { KubeconfigInvalid } from './kubeconfig-invalid.ts';

/**
 * The access that a context of these files gives: the named one, else the current one. Undefined when none
 * of the files exists. Throws `KubeconfigInvalid`.
 */
export function loadKubeconfig(paths: readonly string[], context?: string): ClusterAccess | undefined {
  const config = mergeKubeconfigs(paths);
  return config === undefined ? undefined : accessOf(config, context ?? config.currentContext);
}

const nobody: Entry = { name: '', json: {}, folder: '' };

function accessOf(config: MergedConfig, contextName: string): ClusterAccess {
  if (contextName === '') throw new KubeconfigInvalid('The kubeconfig has no current context: name one.');
  const context = config.contexts.get(contextName);
  if (context === undefined) throw new KubeconfigInvalid(`The kubeconfig has no context "${contextName}".`);
  const clusterName = textAt(context.json, 'cluster') ?? '';
  const cluster = config.clusters.get(clusterName);
  if (cluster === undefined) throw missing(contextName, 'cluster', clusterName);
  const userName = textAt(context.json, 'user') ?? '';
  const user = userName === '' ? nobody : config.users.get(userName);
  if (user === undefined) throw missing(contextName, 'user', userName);
  return {
    ...clusterOf(cluster),
    namespace: textAt(context.json, 'namespace') ?? 'default',
    user: userOf(user, cluster),
  };
}

const missing = (context: string, what: string, name: string): KubeconfigInvalid =>
  new KubeconfigInvalid(
    `The kubeconfig's context "${context}" names the ${what} "${name}", which does not exist.`,
  );

type ClusterPart = Pick<ClusterAccess, 'server' | 'ca' | 'insecure' | 'serverName'>;

function clusterOf(entry: Entry): ClusterPart {
  const { name, json } = entry;
  const server = textAt(json, 'server') ?? '';
  if (!/^https?:\/\/[^/]/i.test(server) || !URL.canParse(server)) {
    throw new KubeconfigInvalid(
      `The kubeconfig's cluster "${name}" needs a server such as https://host:6443.`,
    );
  }
  if (textAt(json, 'proxy-url')) {
    throw new KubeconfigInvalid(
      `The kubeconfig's cluster "${name}" uses proxy-url, which Boathook does not support.`,
    );
  }
  const insecure = at(json, 'insecure-skip-tls-verify') === true;
  const ca = pemOf(entry, 'cluster', 'certificate-authority');
  if (insecure && ca !== undefined) {
    throw new KubeconfigInvalid(
      `The kubeconfig's cluster "${name}" has both a certificate authority and insecure-skip-tls-verify.`,
    );
  }
  return { server, ca, insecure, serverName: textAt(json, 'tls-server-name') };
}

function userOf(entry: Entry, cluster: Entry): UserAccess {
  if (objectAt(entry.json, 'auth-provider') !== undefined) {
    throw new KubeconfigInvalid(
      `The kubeconfig's user "${entry.name}" uses auth-provider, which Kubernetes has removed: use an exec plugin.`,
    );
  }
  return {
    certificate: certificateOf(entry),
    login: loginOf(entry, cluster),
    impersonate: impersonationOf(entry.json),
  };
}

function certificateOf(entry: Entry): ClientCertificate | undefined {
  const certificate = pemOf(entry, 'user', 'client-certificate');
  const key = pemOf(entry, 'user', 'client-key');
  if (certificate === undefined && key === undefined) return undefined;
  if (certificate === undefined || key === undefined) {
    throw new KubeconfigInvalid(
      `The kubeconfig's user "${entry.name}" has a client certificate or its key, but not both.`,
    );
  }
  return { certificate, key: new Secret(key) };
}

/** Explicit tokens win over passwords, and both over plugins, as in kubectl. */
function loginOf(entry: Entry, cluster: Entry): ApiLogin {
  const { json, folder } = entry;
  const tokenFile = textAt(json, 'tokenFile');
  if (tokenFile) return { type: 'token-file', path: resolve(folder, tokenFile) };
  const token = textAt(json, 'token');
  if (token) return { type: 'token', token: new Secret(token) };
  const user = textAt(json, 'username');
  if (user) return { type: 'basic', user, password: new Secret(textAt(json, 'password') ?? '') };
  const exec = objectAt(json, 'exec');
  return exec === undefined ? { type: 'none' } : { type: 'exec', plugin: execPluginOf(entry, exec, cluster) };
}

function impersonationOf(json: Json): Impersonation | undefined {
  const user = textAt(json, 'as');
  if (!user) return undefined;
  const groups = at(json, 'as-groups');
  return {
    user,
    uid: textAt(json, 'as-uid'),
    groups: isArray(groups) ? groups.filter((group): group is string => typeof group === 'string') : [],
  };
}

/** The PEM in `<field>-data` as base64, or in the file that `<field>` names. */
function pemOf({ name, json, folder }: Entry, what: string, field: string): string | undefined {
  const data = textAt(json, `${field}-data`);
  const path = textAt(json, field);
  if (!data && !path) return undefined;
  const from = data ? `${field}-data` : field;
  const text = data ? Buffer.from(data, 'base64').toString() : readPem(resolve(folder, path ?? ''));
  if (text?.includes('-----BEGIN ') === true) return text;
  throw new KubeconfigInvalid(`The kubeconfig's ${what} "${name}" has no readable PEM in ${from}.`);
}

function readPem(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
