import { resolve, sep } from 'node:path';
import { at, listAt, textAt, type JsonObject, type MutableJsonObject } from '#base/json.ts';
import type { ExecPlugin } from './access.ts';
import type { Entry } from './kubeconfig-files.ts';
import { KubeconfigInvalid } from './kubeconfig-invalid.ts';

const versions = ['client.authentication.k8s.io/v1', 'client.authentication.k8s.io/v1beta1'];
const modes = ['Never', 'IfAvailable', 'Always'] as const;

/** The `exec` of a kubeconfig's user. A command with a path starts at the kubeconfig's folder. */
export function execPluginOf(user: Entry, exec: JsonObject, cluster: Entry): ExecPlugin {
  const refuse = (why: string): never => {
    throw new KubeconfigInvalid(`The exec plugin of the kubeconfig's user "${user.name}" ${why}.`);
  };
  const apiVersion = textAt(exec, 'apiVersion') ?? '';
  if (!versions.includes(apiVersion)) refuse(`needs one of the apiVersions ${versions.join(', ')}`);
  const command = textAt(exec, 'command') ?? '';
  if (command === '') refuse('has no command');
  // Version v1beta1 had no such field and was interactive if possible.
  const wanted = textAt(exec, 'interactiveMode') ?? (apiVersion.endsWith('beta1') ? 'IfAvailable' : '');
  const interactiveMode = modes.find((mode) => mode === wanted);
  return {
    apiVersion,
    command: command.includes(sep) ? resolve(user.folder, command) : command,
    args: listAt(exec, 'args').filter((arg) => typeof arg === 'string'),
    env: listAt(exec, 'env').map((each) => ({
      name: textAt(each, 'name') ?? '',
      value: textAt(each, 'value') ?? '',
    })),
    interactiveMode: interactiveMode ?? refuse(`needs an interactiveMode: ${modes.join(', ')}`),
    installHint: textAt(exec, 'installHint'),
    cluster: at(exec, 'provideClusterInfo') === true ? clusterInfo(cluster.json) : undefined,
  };
}

const told = [
  'server',
  'tls-server-name',
  'insecure-skip-tls-verify',
  'certificate-authority-data',
  'proxy-url',
];

/** The plugin's config is in the cluster extension with the name of the mechanism. */
function clusterInfo(json: JsonObject): JsonObject {
  const info: MutableJsonObject = {};
  for (const key of told) {
    const value = json[key];
    if (value !== undefined) info[key] = value;
  }
  const extension = listAt(json, 'extensions').find(
    (each) => textAt(each, 'name') === 'client.authentication.k8s.io/exec',
  );
  const config = at(extension, 'extension');
  if (config !== undefined) info['config'] = config;
  return info;
}
