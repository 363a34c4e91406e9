import type { DeclaredCluster } from './model.ts';

/** The cluster that a machine belongs to, as it is written on the machine itself. */
export type MachineIdentity = {
  readonly cluster: string;
  /** Digest of the cluster's CA. */
  readonly id: string;
  readonly version: string;
  readonly role: string;
  /** The deployment that made it and was not completed. */
  readonly unfinished?: string;
};

/** What was found on a machine, nothing of it changed. */
export type MachineFindings = {
  readonly identity?: MachineIdentity;
  /** Digest of the CA that it trusts. */
  readonly authority?: string;
  /** Earlier versions wrote only the name of the cluster. */
  readonly joined?: string;
  /** An init or join that was begun and has not ended, with its operation. */
  readonly joining?: string;
  readonly hasControlPlane: boolean;
};

/** Reads what the survey of a machine prints: `key=value` lines. */
export function readFindings(text: string): MachineFindings {
  const values = new Map(
    text
      .split('\n')
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)] as const),
  );
  const value = (key: string): string => values.get(key) ?? '';
  const authority = value('ca');
  const hasControlPlane = values.has('control-plane');
  const isAlive = authority !== '' || hasControlPlane || values.has('kubelet');
  const cluster = value('identity.cluster');
  const unfinished = value('identity.unfinished');
  const joined = value('joined') || (values.has('joining') ? value('joining.cluster') : '');
  return {
    hasControlPlane,
    ...(authority !== '' && { authority }),
    // After a reset by hand the identity is still there, and nothing else.
    ...(isAlive &&
      cluster !== '' && {
        identity: {
          cluster,
          id: value('identity.id'),
          version: value('identity.version'),
          role: value('identity.role'),
          ...(unfinished !== '' && { unfinished }),
        },
      }),
    ...(isAlive && joined !== '' && { joined }),
    ...(values.has('joining') && { joining: value('joining.operation') }),
  };
}

export type Belonging = 'nobody' | 'ours' | 'foreign';

/** Which machines are whose, by what they carry and by the CAs that are known to be this cluster's. */
export function belongings(
  { id }: Pick<DeclaredCluster, 'id'>,
  found: ReadonlyMap<string, MachineFindings>,
  known: readonly string[],
): ReadonlyMap<string, Belonging> {
  // A machine that names the cluster vouches for the others with its CA.
  const named = [...witnesses({ id }, found).values()].flatMap(({ authority }) => authority ?? []);
  const trusted = new Set([...known, ...named]);
  return new Map([...found].map(([node, findings]) => [node, belongingOf(id, findings, { known, trusted })]));
}

function belongingOf(
  id: string,
  findings: MachineFindings,
  { known, trusted }: { readonly known: readonly string[]; readonly trusted: ReadonlySet<string> },
): Belonging {
  const { authority, hasControlPlane } = findings;
  const owner = ownerOf(findings);
  if (owner === undefined) {
    if (authority === undefined) return hasControlPlane ? 'foreign' : 'nobody';
    return trusted.has(authority) ? 'ours' : 'foreign';
  }
  if (owner !== id) return 'foreign';
  // The same name is not enough where it is known which cluster is meant.
  const marks = [findings.identity?.id, authority].filter((mark) => mark !== undefined);
  const isAnother = known.length > 0 && marks.length > 0 && !marks.some((mark) => known.includes(mark));
  return isAnother ? 'foreign' : 'ours';
}

const ownerOf = ({ identity, joined }: MachineFindings): string | undefined => identity?.cluster ?? joined;

/** Which cluster a machine belongs to instead of this one, for people. */
export function findingsText(findings: MachineFindings, cluster: string): string {
  const { identity, authority } = findings;
  const digest = (identity?.id ?? authority ?? '').slice(0, 'sha256:'.length + 12);
  const owner = ownerOf(findings);
  if (owner === undefined)
    return `has a control plane or a kubelet of an unknown cluster (CA ${digest}), which is not known to be "${cluster}"`;
  const known = [
    ['version', identity?.version ?? ''],
    ['role', identity?.role ?? ''],
    ['CA', digest],
  ].filter(([, value]) => value !== '');
  const details = known.map((pair) => pair.join(' ')).join(', ');
  const which = owner === cluster ? `another cluster of the name "${owner}"` : `the cluster "${owner}"`;
  return `belongs to ${which} (${details}), not to "${cluster}"`;
}

/** Machines that name the cluster, and so tell its CA to those that name none. */
export const witnesses = (
  { id }: Pick<DeclaredCluster, 'id'>,
  found: ReadonlyMap<string, MachineFindings>,
): ReadonlyMap<string, MachineFindings> =>
  new Map([...found].filter(([, findings]) => ownerOf(findings) === id));

/** Belongs to a cluster and does not name it: others have to be asked. */
export const isNameless = (findings: MachineFindings): boolean =>
  ownerOf(findings) === undefined && findings.authority !== undefined;
