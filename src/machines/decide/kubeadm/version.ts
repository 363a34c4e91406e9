/** The oldest kubeadm that can hand the certificates of the control plane to further masters. */
export const oldestMinor = 14;

type Release = { readonly major: number; readonly minor: number };

/** `1.30.1`, `v1.18.3-tke.1+x`; undefined: no version, or none that can be read. */
function releaseOf(version: string | undefined): Release | undefined {
  const parts = /^v?(\d+)\.(\d+)/.exec(version ?? '');
  return parts === null ? undefined : { major: Number(parts[1]), minor: Number(parts[2]) };
}

/** The minor version of Kubernetes 1; without a version that of a current kubeadm. */
export function minorOf(version: string | undefined, otherwise: number): number {
  const release = releaseOf(version);
  return release?.major === 1 ? release.minor : otherwise;
}

export function isTooOld(version: string | undefined): boolean {
  const release = releaseOf(version);
  return release !== undefined && (release.major < 1 || (release.major === 1 && release.minor < oldestMinor));
}

const current = 30;

/** Names of flags and subcommands that kubeadm and kubectl had at that time. */
export function dialectOf(version: string | undefined): {
  /** 1.14: secrets have no place in its configuration, and some flags are experimental. */
  readonly isExperimental: boolean;
  readonly uploadCerts: string;
  readonly deleteEmptyDir: string;
} {
  const minor = minorOf(version, current);
  const isExperimental = minor <= oldestMinor;
  return {
    isExperimental,
    uploadCerts: isExperimental ? '--experimental-upload-certs' : '--upload-certs',
    // kubectl 1.20 takes both: an upgrade to 1.20 may begin with the kubectl of 1.19.
    deleteEmptyDir: minor <= 20 ? '--delete-local-data' : '--delete-emptydir-data',
  };
}
