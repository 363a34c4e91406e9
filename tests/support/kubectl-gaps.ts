/** A check that kubectl before version 1.`until` does not pass, and what it says instead. */
export type Gap = { readonly name: string; readonly until: number; readonly says: RegExp };

export type Topic = 'look' | 'read' | 'follow' | 'write' | 'make' | 'kinds' | 'schema' | 'depth' | 'remove';

const noOpenApi = /could not find the requested resource|failed to download openapi|invalid argument "warn"/;

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
      says: noOpenApi,
    },
    {
      name: 'create --dry-run=server answers with the object as it would be',
      until: 27,
      says: noOpenApi,
    },
    {
      name: 'diff shows what an apply would change, and changes nothing',
      until: 29,
      says: noOpenApi,
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
  // Before 1.29 they read OpenAPI v2, which is not served.
  schema: [
    'apply creates, changes and leaves alone',
    'apply of a deployment changes what was left out, too',
    'apply of a field that does not exist is refused with its name',
    'apply --validate=warn warns of a field that does not exist',
    'create -f and replace -f are checked as well',
    'apply --server-side creates, and tells who else manages a field',
    'explain shows the fields of a kind',
    'explain --recursive goes all the way down',
    'explain of a field that does not exist says so',
    'explain knows a kind that was defined a moment ago',
    'apply of a custom object is checked against its definition',
  ].map((name) => ({ name, until: 29, says: noOpenApi })),
  depth: [
    {
      name: 'apply --server-side refuses a field of another manager, and --force-conflicts takes it',
      until: 29,
      says: noOpenApi,
    },
    {
      name: 'apply --server-side drops what was left out of the next configuration',
      until: 29,
      says: noOpenApi,
    },
    {
      name: 'what was applied by the client moves to the server, and is pruned there',
      until: 29,
      says: noOpenApi,
    },
  ],
  remove: [],
};
