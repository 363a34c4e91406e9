import type { Diagnosis } from './diagnosis.ts';

/** The first version with all that our definitions of kinds use: rules in CEL. */
const oldest = { major: 1, minor: 25 };

/** Whether the version of the cluster is new enough. */
export function checkVersion(version: string): Diagnosis {
  const [, major = '', minor = ''] = /^v?(\d+)\.(\d+)/.exec(version) ?? [];
  if (major === '')
    return {
      check: 'version',
      state: 'unknown',
      message: `The version ${version} of the cluster has no numbers.`,
    };
  const isNew =
    Number(major) > oldest.major || (Number(major) === oldest.major && Number(minor) >= oldest.minor);
  const needed = `${oldest.major}.${oldest.minor}`;
  return isNew
    ? { check: 'version', state: 'ok', message: `The cluster has Kubernetes ${version}.` }
    : {
        check: 'version',
        state: 'failed',
        message: `The cluster has Kubernetes ${version}, which is older than ${needed}.`,
        remedy: `Upgrade the cluster to Kubernetes ${needed} or newer.`,
      };
}
