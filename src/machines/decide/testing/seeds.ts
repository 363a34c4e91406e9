import type { Json } from '#base/json.ts';
import { parseJson } from '#base/json-text.ts';
import { withoutComments } from '#machines/decide/comments.ts';

/** The first example of TKEStack's document, comments included. */
export const firstExampleText = `{
    "apiVersion": "platform.tkestack.io/v1",
    "kind": "Cluster",
    "spec": {
        "clusterCIDR": "10.244.0.0/16",
        "type": "Baremetal",
        "version": "1.14.10",
        "machines": [
            {
                "ip": "1.2.3.4",
                "port": 22,
                "username": "root",
                "password": "MTIzNDU2" // echo -n "123456" | base64
            }
        ],
        "features": {
            "files": [
                {
                    "src": "hooks/pre-install", // source file in tke-platform-controller
                    "dst": "/tmp/hooks/pre-install" // destinate file in node
                },
                                {
                    "src": "hooks/post-install",
                    "dst": "/tmp/hooks/post-install"
                }
            ],
            "hooks": {
                "PreInstall": "/tmp/hooks/pre-install", // reference to destinate file which defined in files
                "PostInstall": "/tmp/hooks/post-install"
            }
        }
    }
}
`;

export const firstExample = (): Json => parseJson(withoutComments(firstExampleText));

export const secondExample: Json = {
  apiVersion: 'platform.tkestack.io/v1',
  kind: 'Cluster',
  metadata: {
    labels: { location: 'xa' },
    annotations: { 'node.alpha.kubernetes.io/test': 'hello' },
  },
  spec: {
    clusterCIDR: '10.244.0.0/16',
    tenantID: 'default',
    type: 'Baremetal',
    version: '1.18.3',
    machines: [{ ip: '10.0.0.9', port: 22, username: 'root', password: 'TGV0bWVpbjEyMywuMQ==' }],
    features: {
      files: [
        { src: 'hooks/pre', dst: '/tmp/hooks/pre' },
        { src: 'hooks/post', dst: '/tmp/hooks/post' },
      ],
      hooks: {
        PreInstall: '/tmp/hooks/pre/pre-install',
        PostInstall: '/tmp/hooks/post/post-install',
        PreClusterInstall: '/tmp/hooks/pre/cluster-pre-install',
        PostClusterInstall: '/tmp/hooks/post/cluster-post-install',
      },
    },
  },
};

/** An eggo configuration with the document's `addition`. */
export const eggoExample: Json = {
  'cluster-id': 'k8s-cluster',
  username: 'root',
  password: '123456',
  masters: [
    { name: 'm1', ip: '10.0.0.1', port: 22, arch: 'arm64' },
    { name: 'm2', ip: '10.0.0.2' },
  ],
  workers: [
    { name: 'w1', ip: '10.0.0.3' },
    { name: 'm2', ip: '10.0.0.2' },
  ],
  etcds: [{ name: 'e1', ip: '10.0.0.4' }],
  loadbalance: { name: 'lb', ip: '10.0.0.5', port: 22, 'bind-port': 8443 },
  install: {
    'package-source': { srcpath: { amd64: '/pkg/a.tar.gz', arm64: '/pkg/folder' } },
    addition: {
      master: [{ name: 'prejoin.sh', type: 'shell', schedule: 'prejoin', TimeOut: '30s' }],
      worker: [{ name: 'postjoin.sh', type: 'shell', schedule: 'postjoin' }],
    },
  },
};
