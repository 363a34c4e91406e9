import type { Metrics } from '#base/metrics.ts';
import type { Transport } from './transport.ts';

const requests = {
  name: 'boathook_api_requests_total',
  help: 'Requests to the API server by method and by the code of the answer; none: no answer came.',
  labels: ['method', 'code'],
};

/** The same way to the server, counted. */
export function measuredTransport(transport: Transport, metrics: Metrics): Transport {
  const counter = metrics.counter(requests);
  return async (request) => {
    const { method } = request;
    try {
      const response = await transport(request);
      counter.add({ method, code: String(response.status) });
      return response;
    } catch (error) {
      if (!request.signal.aborted) counter.add({ method, code: 'none' });
      throw error;
    }
  };
}
