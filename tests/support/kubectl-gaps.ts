/** A check that kubectl before version 1.`until` does not pass, and what it says instead. */
export type Gap = { readonly name: string; readonly until: number; readonly says: RegExp };

export type Topic = 'look' | 'read' | 'follow' | 'write' | 'make' | 'kinds' | 'schema' | 'depth' | 'remove';

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
  // They check by themselves, and explain in other words.
  schema: [
    {
      name: 'apply of a field that does not exist is refused with its name',
      until: 25,
      says: /unknown field "imagee" in io\.k8s\.api\.core\.v1\.Container/,
    },
    {
      name: 'apply --validate=warn warns of a field that does not exist',
      until: 25,
      says: /invalid argument "warn"/,
    },
    { name: 'explain shows the fields of a kind', until: 27, says: /KIND: {5}Deployment/ },
    { name: 'explain --recursive prints all levels', until: 27, says: /KIND: {5}Pod/ },
    { name: 'explain works for a kind that was defined a moment ago', until: 27, says: /FIELD: colour/ },
    {
      name: 'apply of a custom object is checked against its definition',
      until: 25,
      says: /to match \/unknown field "spec/,
    },
  ],
  depth: [
    {
      name: 'what was applied by the client moves to the server, and is pruned there',
      until: 26,
      says: /expected \{ moon: 'full', tide: 'low' \}/,
    },
  ],
  remove: [],
};
