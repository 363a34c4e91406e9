/** A check that kubectl before version 1.`until` does not pass, and what it says instead. */
export type Gap = { readonly name: string; readonly until: number; readonly says: RegExp };

export type Topic = 'look' | 'read' | 'follow' | 'write' | 'make' | 'kinds' | 'remove';

/** What old versions of kubectl, such as Debian's 1.20, cannot do here. */
export const gaps: Readonly<Record<Topic, readonly Gap[]>> = {
  look: [
    {
      name: 'auth whoami names the user of the certificate',
      until: 28,
      says: /unknown flag: --output|APISelfSubjectReview/,
    },
    { name: 'events lists what happened, and to whom', until: 26, says: /unknown command "events"/ },
  ],
  read: [],
  follow: [
    { name: 'wait --for=create returns when the object appears', until: 31, says: /unrecognized condition/ },
    {
      name: 'wait --for=jsonpath returns when the field has the value',
      until: 23,
      says: /unrecognized condition/,
    },
  ],
  write: [
    {
      name: 'patch --subresource=status reaches the status alone',
      until: 24,
      says: /unknown flag: --subresource/,
    },
    {
      name: '--dry-run=server answers as if, and stores nothing',
      until: 27,
      says: /failed to download openapi/,
    },
    {
      name: 'create --dry-run=server answers with the object as it would be',
      until: 27,
      says: /failed to download openapi/,
    },
    {
      name: 'diff shows what an apply would change, and changes nothing',
      until: 29,
      says: /failed to download openapi|could not find the requested resource/,
    },
  ],
  make: [
    // It knows these kinds only in versions that Kubernetes 1.25 dropped.
    { name: 'create cronjob stores the object', until: 21, says: /could not find the requested resource/ },
    { name: 'create poddisruptionbudget stores the object', until: 22, says: /policy\/v1beta1/ },
  ],
  kinds: [
    {
      name: 'patch --subresource=status reaches the status of a custom resource',
      until: 24,
      says: /unknown flag: --subresource/,
    },
  ],
  remove: [],
};
