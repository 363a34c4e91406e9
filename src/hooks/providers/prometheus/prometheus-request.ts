import type { PrometheusProvider } from '#hooks/providers/prometheus/wire/prometheus-wire.ts';
import { parseDuration } from '#base/duration.ts';
import type { Instant } from '#base/time.ts';
import { fillText, fillUrl } from '#hooks/decide/placeholders.ts';
import type { OutgoingRequest } from '#edge/outgoing/outgoing.ts';
import { secretsInUrl } from '#hooks/call/redact.ts';
import { problem, type Made } from '#hooks/call/request-headers.ts';
import { partsOf } from '#hooks/providers/request-parts.ts';
import type { Secrets } from '#hooks/call/secrets.ts';

type Asked = {
  readonly prometheus: PrometheusProvider;
  readonly args: ReadonlyMap<string, string>;
  readonly secrets: Secrets;
  readonly now: Instant;
};

/** `shown`: the URL and the query, for messages. */
export type PrometheusRequest = { readonly request: OutgoingRequest; readonly shown: string };

const longestAnswer = 8_388_608;
/** Longer queries are sent with POST: not every server accepts a longer request line. */
const longestLine = 4096;

/** The request for a metric. */
export async function prometheusRequest(asked: Asked): Promise<Made<PrometheusRequest>> {
  const { prometheus, args, secrets } = asked;
  const address = fillUrl(prometheus.address, args);
  if (address.type === 'problem') return problem(`address: ${address.message}`);
  const query = fillText(prometheus.query, args);
  if (query.type === 'problem') return problem(`query: ${query.message}`);
  const span = spanOf(prometheus.range, asked.now);
  if (span.type === 'problem') return span;
  const parts = await partsOf(prometheus, args, secrets, 30);
  if (parts.type === 'problem') return parts;
  const base = URL.parse(address.value);
  if (base === null || !/^https?:$/.test(base.protocol))
    return problem('address: not a complete URL: use one such as http://prometheus:9090');
  for (const value of secretsInUrl(base.href)) secrets.add(value);
  const endpoint = prometheus.range === undefined ? 'query' : 'query_range';
  base.pathname = `${withoutEndingSlashes(base.pathname)}/api/v1/${endpoint}`;
  base.hash = '';
  const shown = `${base.href} ${query.value}`;
  const form = new URLSearchParams({ query: query.value, ...span.value }).toString();
  const request = sent(base, form, { accept: 'application/json', ...parts.value.headers });
  return { type: 'made', value: { shown, request: { ...parts.value, ...request, maxBytes: longestAnswer } } };
}

function withoutEndingSlashes(path: string): string {
  let end = path.length;
  while (path.charAt(end - 1) === '/') end -= 1;
  return path.slice(0, end);
}

type Sent = Pick<OutgoingRequest, 'method' | 'url' | 'headers' | 'body'>;

function sent(base: URL, form: string, headers: Readonly<Record<string, string>>): Sent {
  if (form.length > longestLine) {
    const type = { 'content-type': 'application/x-www-form-urlencoded' };
    return { method: 'POST', url: base.href, headers: { ...headers, ...type }, body: form };
  }
  base.search = base.search === '' ? form : `${base.search}&${form}`;
  return { method: 'GET', url: base.href, headers };
}

function spanOf(range: PrometheusProvider['range'], now: Instant): Made<Record<string, string>> {
  if (range === undefined) return { type: 'made', value: {} };
  const [last, step] = [parseDuration(range.last), parseDuration(range.step)];
  if (last === undefined)
    return problem(`range.last ${JSON.stringify(range.last)} is not a duration like 5m`);
  if (step === undefined || step === 0)
    return problem(`range.step ${JSON.stringify(range.step)} is not a duration above zero, like 30s`);
  const inSeconds = (count: number): string => String(count / 1000);
  return {
    type: 'made',
    value: { start: inSeconds(now - last), end: inSeconds(now), step: inSeconds(step) },
  };
}
