import { expect, test } from 'vitest';
import { clusterDomainOf } from './cluster-domain.ts';

const ofPod = `nameserver 10.96.0.10
search default.svc.corp.example svc.corp.example corp.example lan
options ndots:5
`;

test.for<[string, Parameters<typeof clusterDomainOf>[0], string]>([
  ['nothing', { flag: undefined, environment: undefined, resolvConf: undefined }, 'cluster.local'],
  ['a pod', { flag: undefined, environment: undefined, resolvConf: ofPod }, 'corp.example'],
  ['the environment', { flag: undefined, environment: 'other.example.', resolvConf: ofPod }, 'other.example'],
  ['a flag', { flag: 'mine.example', environment: 'other.example', resolvConf: ofPod }, 'mine.example'],
  ['an empty environment', { flag: '', environment: ' ', resolvConf: ofPod }, 'corp.example'],
  [
    'a machine outside',
    { flag: undefined, environment: undefined, resolvConf: 'search lan home.arpa\nnameserver 1.1.1.1' },
    'cluster.local',
  ],
  [
    'two lines, of which the last counts',
    { flag: undefined, environment: undefined, resolvConf: `search svc.old\n${ofPod}` },
    'corp.example',
  ],
  [
    'no more than svc.',
    { flag: undefined, environment: undefined, resolvConf: 'search svc.' },
    'cluster.local',
  ],
])('the domain of the cluster with %s', ([, given, domain]) => {
  expect(clusterDomainOf(given)).toBe(domain);
});
