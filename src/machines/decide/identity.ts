import type { DeclaredCluster } from './model.ts';

/** The cluster that a machine belongs to, from a file on the machine. */
export type MachineIdentity = {
  readonly cluster: string;
  /** Digest of the cluster's CA. */
  readonly id: string;
  readonly version: string;
  readonly role: string;
  /** The deployment that made the machine a member and is not complete. */
  readonly unfinished?: string;
};

/** The result of a survey, which changes nothing on the machine. */
export type MachineFindings = {
  readonly identity?: MachineIdentity;
  /** Digest of the CA that it trusts. */
  readonly authority?: string;
  /** Earlier versions wrote only the name of the cluster. */
  readonly joined?: string;
  /** An unfinished init or join, with its operation. */
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

/** The cluster of each machine, from its survey and from the known CAs of this cluster. */
export function belongings(
  { id }: Pick<DeclaredCluster, 'id'>,
  found: ReadonlyMap<string, MachineFindings>,
  known: readonly string[],
): ReadonlyMap<string, Belonging> {
  // The CA of a machine that names the cluster identifies other machines of the cluster.
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
  // With a known CA the same name is not enough.
  const marks = [findings.identity?.id, authority].filter((mark) => mark !== undefined);
  const isAnother = known.length > 0 && marks.length > 0 && !marks.some((mark) => known.includes(mark));
  return isAnother ? 'foreign' : 'ours';
}

const ownerOf = ({ identity, joined }: MachineFindings): string | undefined => identity?.cluster ?? joined;

/** A text that names the other cluster of a machine. */
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

/** Machines that name the cluster: their CA identifies machines that name none. */
export const witnesses = (
  { id }: Pick<DeclaredCluster, 'id'>,
  found: ReadonlyMap<string, MachineFindings>,
): ReadonlyMap<string, MachineFindings> =>
  new Map([...found].filter(([, findings]) => ownerOf(findings) === id));

/** Whether the machine belongs to a cluster that it does not name: its CA decides. */
export const isNameless = (findings: MachineFindings): boolean =>
  ownerOf(findings) === undefined && findings.authority !== undefined;
