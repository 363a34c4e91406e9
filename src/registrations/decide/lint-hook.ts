import type { Finding } from '#hooks/providers/wire/finding.ts';
import type { RegisteredHook, Registration } from '#registrations/model/registration.ts';

type HookCheck = Omit<Finding, 'severity'> & {
  readonly holds: (hook: RegisteredHook, registration: Registration) => boolean;
};

/** Valid settings that are probably mistakes. */
export const hookWarnings = (registration: Registration): readonly Finding[] =>
  checks.flatMap(({ holds, ...finding }) =>
    registration.hook !== undefined && holds(registration.hook, registration)
      ? [{ severity: 'warning', ...finding }]
      : [],
  );

const shapes = ({ capabilities }: RegisteredHook): boolean =>
  capabilities.some((each) => each !== 'finalize');
const isPlain = ({ address }: RegisteredHook): boolean => (address.uri ?? 'http:').startsWith('http:');
const hasHost = (uri: string | undefined): boolean => /^[^/?#]*\/\/[^/:?#]/.test(uri ?? '');
const phases = 'add pre-reconcile or post-reconcile to capabilities';

const checks: readonly HookCheck[] = [
  {
    holds: ({ capabilities }) => capabilities.length === 0,
    path: 'spec.hook.capabilities',
    message: 'the list is empty, so the hook is never called',
    hint: 'list the phases in which it is called',
  },
  {
    holds: ({ address }) => address.ref !== undefined && hasHost(address.uri),
    path: 'spec.hook.address.uri',
    message: 'its host is ignored: spec.hook.address.ref gives the host',
    hint: 'write only what differs, such as http://:8080/path',
  },
  {
    holds: (hook, { hookConditions }) => !shapes(hook) && hookConditions.length > 0,
    path: 'spec.workload.statusConfiguration.conditionsFromHook',
    message: 'the hook is called for finalize only and cannot report conditions, so Ready stays Unknown',
    hint: phases,
  },
  {
    holds: (hook, { envsFromHook }) => !shapes(hook) && envsFromHook.length > 0,
    path: 'spec.workload.parameterConfiguration.addEnvsFromHook',
    message: 'the hook is called for finalize only and cannot return variables',
    hint: phases,
  },
  {
    holds: (hook) => isPlain(hook) && hook.auth.bearer !== undefined,
    path: 'spec.hook.auth.bearer',
    message: 'the token is sent unencrypted over http',
    hint: 'use https',
  },
  {
    holds: (hook) => isPlain(hook) && hook.auth.basic !== undefined,
    path: 'spec.hook.auth.basic',
    message: 'the password is sent unencrypted over http',
    hint: 'use https',
  },
  {
    holds: (hook) => isPlain(hook) && hook.tls.serverName !== undefined,
    path: 'spec.hook.tls.serverName',
    message: 'http has no certificate to check the name of',
    hint: 'use https',
  },
  {
    holds: (hook) => isPlain(hook) && hook.tls.clientCertificate !== undefined,
    path: 'spec.hook.tls.clientCertificate',
    message: 'is not used over http',
    hint: 'use https',
  },
];
