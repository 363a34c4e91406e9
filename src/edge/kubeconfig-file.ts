import { dirname } from 'node:path';
import type { KeyPair } from './certificate-file.ts';
import { writeFileAtomically } from './write-file.ts';
import { makeFolder } from './make-folder.ts';

/** The address of the server and the credentials of the kubeconfig's user. */
export type KubeconfigAccess = {
  /** Such as `https://127.0.0.1:6443`. */
  readonly server: string;
  readonly ca: string;
  readonly client: KeyPair;
};

/** Writes a kubeconfig that any Kubernetes client can use; it holds a key, so only its owner may read it. */
export function writeKubeconfig(path: string, access: KubeconfigAccess): void {
  makeFolder(dirname(path));
  writeFileAtomically(path, kubeconfigText(access), 0o600);
}

const base64 = (text: string): string => Buffer.from(text).toString('base64');

function kubeconfigText({ server, ca, client }: KubeconfigAccess): string {
  return `apiVersion: v1
kind: Config
current-context: boathook
clusters:
- name: boathook
  cluster:
    server: ${JSON.stringify(server)}
    certificate-authority-data: ${base64(ca)}
contexts:
- name: boathook
  context:
    cluster: boathook
    user: boathook
    namespace: default
users:
- name: boathook
  user:
    client-certificate-data: ${base64(client.certificate)}
    client-key-data: ${base64(client.key)}
preferences: {}
`;
}
