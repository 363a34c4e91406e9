import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '#command/free-port.ts';
import { ensureCertificates } from '#edge/certificates.ts';
import { systemClock } from '#edge/clock.ts';
import { startChild, type Child } from './child-process.ts';
import type { Address } from './connection.ts';
import type { Target } from './target.ts';
import { untilReady } from './until-ready.ts';

const programs = ['kube-apiserver', 'etcd'];

/** The real kube-apiserver with its etcd, where KUBEBUILDER_ASSETS says they are; undefined without them. */
export function envtestTarget(assets: string | undefined): Target | undefined {
  if (assets === undefined || assets === '') return undefined;
  const missing = programs.filter((name) => !existsSync(join(assets, name)));
  if (missing.length > 0) {
    process.stderr.write(`bench: KUBEBUILDER_ASSETS=${assets} holds no ${missing.join(' and no ')}\n`);
    return undefined;
  }
  return {
    name: 'kube-apiserver',
    async start(folder) {
      const files = await prepare(folder);
      const etcdUrl = `http://127.0.0.1:${await freePort('127.0.0.1')}`;
      const etcd = await startEtcd(join(assets, 'etcd'), folder, etcdUrl);
      // The clock starts here: the figure of the real server leaves etcd's own start out.
      const began = performance.now();
      const port = await freePort('127.0.0.1');
      const server = await startServer(join(assets, 'kube-apiserver'), { folder, files, port, etcdUrl });
      const address: Address = { host: '127.0.0.1', port, ca: files.ca, token: files.token };
      await untilReady(address, server);
      const startSeconds = (performance.now() - began) / 1000;
      const stop = async (): Promise<void> => {
        await server.stop();
        await etcd.stop();
      };
      return { address, pids: [server.pid, etcd.pid], startSeconds, stop };
    },
  };
}

type Files = { readonly ca: string; readonly token: string };

/** Certificates, a key for service accounts and a token of a cluster administrator; kept by later starts. */
async function prepare(folder: string): Promise<Files> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const { ca } = await ensureCertificates(folder, { now: systemClock.now() });
  const tokens = join(folder, 'tokens.csv');
  if (!existsSync(tokens)) {
    const mode = 0o600;
    const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    writeFileSync(join(folder, 'accounts.key'), privateKey.export({ type: 'pkcs1', format: 'pem' }), {
      mode,
    });
    writeFileSync(join(folder, 'accounts.pub'), publicKey.export({ type: 'spki', format: 'pem' }), { mode });
    writeFileSync(tokens, `${randomUUID()},bench,bench,"system:masters"\n`, { mode });
  }
  return { ca, token: readFileSync(tokens, 'utf8').split(',')[0] ?? '' };
}

async function startEtcd(program: string, folder: string, url: string): Promise<Child> {
  const peer = `http://127.0.0.1:${await freePort('127.0.0.1')}`;
  const flags = {
    name: 'bench',
    'data-dir': join(folder, 'etcd'),
    'listen-client-urls': url,
    'advertise-client-urls': url,
    'listen-peer-urls': peer,
    'initial-advertise-peer-urls': peer,
    'initial-cluster': `bench=${peer}`,
  };
  const child = await startChild(program, written(flags), logged(folder, 'etcd'));
  await untilHealthy(url, child);
  return child;
}

async function untilHealthy(url: string, child: Child): Promise<void> {
  for (let tries = 0; tries < 3000 && child.process.exitCode === null; tries++) {
    const ok = await fetch(`${url}/health`).then(
      async (reply) => (await reply.text()).includes('true'),
      () => false,
    );
    if (ok) return;
    await sleep(10);
  }
  throw new Error('etcd did not become healthy');
}

type Server = {
  readonly folder: string;
  readonly files: Files;
  readonly port: number;
  readonly etcdUrl: string;
};

function startServer(program: string, { folder, port, etcdUrl }: Server): Promise<Child> {
  const flags = {
    'etcd-servers': etcdUrl,
    'bind-address': '127.0.0.1',
    'advertise-address': '127.0.0.1',
    'secure-port': String(port),
    'cert-dir': join(folder, 'certs'),
    'tls-cert-file': join(folder, 'pki', 'server.crt'),
    'tls-private-key-file': join(folder, 'pki', 'server.key'),
    'client-ca-file': join(folder, 'pki', 'ca.crt'),
    'token-auth-file': join(folder, 'tokens.csv'),
    'authorization-mode': 'RBAC',
    'service-account-issuer': 'https://kubernetes.default.svc',
    'service-account-key-file': join(folder, 'accounts.pub'),
    'service-account-signing-key-file': join(folder, 'accounts.key'),
    'service-cluster-ip-range': '10.0.0.0/24',
    // A deletecollection of many pods takes it nearly a minute, which is the usual limit.
    'request-timeout': '10m',
  };
  return startChild(program, written(flags), logged(folder, 'kube-apiserver'));
}

const written = (flags: Readonly<Record<string, string>>): readonly string[] =>
  Object.entries(flags).map(([name, value]) => `--${name}=${value}`);

function logged(folder: string, name: string): { readonly stdio: ['ignore', number, number] } {
  const log = openSync(join(folder, `${name}.log`), 'a', 0o600);
  return { stdio: ['ignore', log, log] };
}
