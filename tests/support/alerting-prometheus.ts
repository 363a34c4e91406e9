import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { vi } from 'vitest';
import { tempDir } from '#edge/testing/temp-dir.ts';
import { needs, provide, thisSystem } from '../../scripts/system-needs.ts';
import { ruleGroups, type AlertTimes } from '../../scripts/monitoring/alerts.ts';
import { followProgram } from './program.ts';

/** A real Prometheus that scrapes controllers and evaluates the alerts. */
export type AlertingPrometheus = AsyncDisposable & {
  readonly url: string;
  /** The names of the alerts that fire now. */
  firing(): Promise<readonly string[]>;
  /** Settles when an alert fires. */
  untilFires(alert: string, timeout?: number): Promise<void>;
  /** How many series an expression has. */
  count(expr: string): Promise<number>;
};

/** Minutes become seconds, so that nobody has to wait. Expressions and limits stay as they are. */
const quick: AlertTimes = { span: (minutes) => (minutes === 10 ? '3s' : '20s'), hold: () => '1s' };

type Alerting = {
  readonly data: { readonly alerts: readonly { state: string; labels: { alertname: string } }[] };
};
type Queried = {
  readonly status: string;
  readonly data: { readonly result: readonly unknown[] };
  error?: string;
};

export async function startAlertingPrometheus(ports: readonly number[]): Promise<AlertingPrometheus> {
  const provided = provide(
    needs.filter(({ name }) => name === 'prometheus'),
    thisSystem(),
  );
  if (provided.type === 'refused') throw new Error(provided.why);
  const folder = tempDir();
  const rules = join(folder.path, 'rules.yml');
  // JSON is YAML too.
  writeFileSync(rules, JSON.stringify(ruleGroups(quick)));
  const config = join(folder.path, 'prometheus.yml');
  writeFileSync(config, JSON.stringify(scraping(ports, rules)));
  const running = followProgram('prometheus', [
    `--config.file=${config}`,
    `--storage.tsdb.path=${join(folder.path, 'data')}`,
    '--web.listen-address=127.0.0.1:0',
  ]);
  const dispose = async (): Promise<void> => {
    await running.stop();
    folder[Symbol.dispose]();
  };
  try {
    await running.errorLike(/Server is ready to receive web requests/);
  } catch (error) {
    await dispose();
    throw error;
  }
  const url = `http://${/msg="Listening on" address=(\S+)/.exec(running.errors())?.[1]}`;
  const firing = async (): Promise<readonly string[]> => {
    const { data } = (await (await fetch(`${url}/api/v1/alerts`)).json()) as Alerting;
    return data.alerts.filter(({ state }) => state === 'firing').map(({ labels }) => labels.alertname);
  };
  return {
    url,
    firing,
    async untilFires(alert, timeout = 300_000) {
      await vi.waitFor(
        async () => {
          const now = await firing();
          if (!now.includes(alert)) throw new Error(`${alert} does not fire, but ${now.join(', ')}`);
        },
        { timeout, interval: 200 },
      );
    },
    async count(expr) {
      const answer = await fetch(`${url}/api/v1/query?query=${encodeURIComponent(expr)}`);
      const { status, data, error } = (await answer.json()) as Queried;
      if (status !== 'success') throw new Error(`${expr}: ${error}`);
      return data.result.length;
    },
    [Symbol.asyncDispose]: dispose,
  };
}

const scraping = (ports: readonly number[], rules: string) => ({
  global: { scrape_interval: '1s', scrape_timeout: '1s', evaluation_interval: '500ms' },
  rule_files: [rules],
  scrape_configs: [
    {
      job_name: 'boathook',
      static_configs: ports.map((port) => ({
        targets: [`127.0.0.1:${port}`],
        labels: { namespace: 'boathook-system' },
      })),
    },
  ],
});
