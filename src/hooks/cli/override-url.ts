import type { Metric } from '#hooks/kinds/metric.ts';
import { textAt } from '#base/json.ts';
import { jsonOf, readProvider } from '#hooks/read.ts';
import { ExitError } from '#command/exit.ts';

/** The metric with the URL of another server. An override without a path keeps the path and the query. */
export function overrideUrl(metric: Metric, override: string): Metric {
  const url = URL.parse(override);
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new ExitError(2, `--url-override ${override} is no address: write it like http://127.0.0.1:9091`);
  const isServerOnly = url.pathname === '/' && url.search === '' && !override.endsWith('/');
  const moved = (text: string): string => (isServerOnly ? `${override}${afterServer(text)}` : override);
  const read = readProvider(metric);
  const field = read.type === 'provider' ? read.wire.address : undefined;
  if (read.type === 'refused' || field === undefined) return metric;
  const { type, spec } = read.provider;
  const address = textAt(jsonOf(spec), field) ?? '';
  return { ...metric, provider: { [type]: { ...spec, [field]: moved(address) } } };
}

/** The text after scheme, host and port, any of which can be an argument. */
function afterServer(text: string): string {
  const server = /^(?:(?:https?|\{\{[^}]*\}\}):\/\/)?(?:\{\{[^}]*\}\}|[^/?#{])*/i.exec(text);
  return text.slice(server?.[0].length ?? 0);
}
