import type { MetricDescription, Metrics } from '#base/metrics.ts';
import type { Clock } from '#base/time.ts';
import { isWatch } from './is-watch.ts';
import type { PaceFigures } from './request-pace.ts';
import type { Transport } from './transport.ts';

const method = 'HTTP method.';

/** The metrics of the requests to the API server. */
export const apiMetrics = {
  requests: {
    type: 'counter',
    name: 'boathook_api_requests_total',
    help: 'Requests to the API server by method and code of the response.',
    labels: { method, code: 'HTTP status; none: there was no response' },
  },
  seconds: {
    type: 'histogram',
    name: 'boathook_api_request_duration_seconds',
    help: 'Time until the head of the response, waits for the rate limit included. Watches are left out.',
    labels: { method },
    bounds: [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
  },
  throttled: {
    type: 'counter',
    name: 'boathook_api_throttled_total',
    help: 'Responses with status 429: the API server wanted fewer requests.',
    labels: {},
  },
  waited: {
    type: 'counter',
    name: 'boathook_api_throttled_seconds_total',
    help: 'Time that requests waited because of such responses, summed up.',
    labels: {},
  },
  rate: {
    type: 'gauge',
    name: 'boathook_api_rate_limit',
    help: 'Requests per second that are sent at most at present; 0: no limit.',
    labels: {},
  },
} as const satisfies Readonly<Record<string, MetricDescription>>;

/** Shows how fast requests are sent. */
export function measurePace(pace: () => PaceFigures, metrics: Metrics): void {
  metrics.sampled(apiMetrics.throttled, () => [{ labels: {}, value: pace().throttled }]);
  metrics.sampled(apiMetrics.waited, () => [{ labels: {}, value: pace().waited }]);
  metrics.sampled(apiMetrics.rate, () => [{ labels: {}, value: pace().rate ?? 0 }]);
}

/** The same way to the server, counted and timed. */
export function measuredTransport(transport: Transport, metrics: Metrics, clock: Clock): Transport {
  const counter = metrics.counter(apiMetrics.requests);
  const seconds = metrics.histogram(apiMetrics.seconds);
  return async (request) => {
    const { method: verb } = request;
    const began = clock.now();
    try {
      const response = await transport(request);
      counter.add({ method: verb, code: String(response.status) });
      if (!isWatch(request)) seconds.observe({ method: verb }, (clock.now() - began) / 1000);
      return response;
    } catch (error) {
      if (!request.signal.aborted) counter.add({ method: verb, code: 'none' });
      throw error;
    }
  };
}
