import { printJson } from '#base/json-text.ts';
import type { LogResource } from '#command/logs/log-resource.ts';
import { ApiError, badRequest } from '#kube/status.ts';
import type { LastCalls } from '#registrations/controller/last-calls.ts';
import { registrations } from '#registrations/controller/resources.ts';

/** The log of a CRDRegistration: the last call of its hook about one instance, named by `namespace` and `instance`. */
export const registrationLog = (calls: LastCalls): LogResource => ({
  resource: registrations,
  serve({ name, query }) {
    const [namespace, instance] = [query.get('namespace') ?? '', query.get('instance') ?? ''];
    if (instance === '') throw badRequest('name the instance: ?namespace=NAMESPACE&instance=NAME');
    const call = calls.find(name, `${namespace}/${instance}`);
    if (call === undefined) throw notKept(name, `${namespace}/${instance}`);
    return {
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: { type: 'text', text: printJson({ ...call }) },
    };
  },
});

const notKept = (name: string, instance: string): ApiError =>
  new ApiError({
    code: 404,
    reason: 'NotFound',
    message: `no call about ${instance} is kept: this controller has not called the hook of CRDRegistration ${name} for it since it started, or has kept newer calls of others instead`,
    details: { name, kind: registrations.plural, group: registrations.group },
  });
