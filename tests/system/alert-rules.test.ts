import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { textAt, type JsonObject } from '#base/json.ts';
import { tempDir } from '#edge/testing/temp-dir.ts';
import { alerts, ruleGroups } from '../../scripts/monitoring/alerts.ts';
import { alertCases } from '../support/alert-cases.ts';
import { runProgram, type Ended } from '../support/program.ts';
import { root } from '../support/project-files.ts';

const file = join(root, 'deploy/monitoring/alerts.yaml');

/** `promtool test rules` for one test; JSON is YAML too. */
async function promtool(test: object): Promise<Ended> {
  using folder = tempDir();
  const path = join(folder.path, 'test.yaml');
  writeFileSync(path, JSON.stringify({ rule_files: [file], evaluation_interval: '1m', tests: [test] }));
  return await runProgram('promtool', ['test', 'rules', path]);
}

test('promtool finds the rules in order', async () => {
  const { code, out, error } = await runProgram('promtool', ['check', 'rules', file]);
  expect({ code, error }).toEqual({ code: 0, error: '' });
  expect(out).toContain(`${alerts().length} rules found`);
});

test('kubectl makes the rules and the dashboard out of the folder', async () => {
  const { code, out } = await runProgram('kubectl', ['kustomize', join(root, 'deploy/monitoring')]);
  expect(code).toBe(0);
  const [dashboard, rule] = parseAllDocuments(out).map((each) => each.toJS() as JsonObject);
  expect(dashboard).toMatchObject({
    kind: 'ConfigMap',
    metadata: { name: 'boathook-dashboard', labels: { grafana_dashboard: '1' } },
  });
  const shown = JSON.parse(textAt(dashboard, 'data', 'dashboard.json') ?? '') as { title: string };
  expect(shown.title).toBe('Boathook');
  expect(rule).toMatchObject({ kind: 'PrometheusRule', spec: ruleGroups() });
});

test('there is a case for each alert', () => {
  expect(alertCases.map(({ alert }) => alert)).toEqual(alerts().map(({ name }) => name));
});

test.for(alertCases)('$alert fires when it should, and only then', async (each) => {
  const silent = (minutes: number) => ({ eval_time: `${minutes}m`, alertname: each.alert, exp_alerts: [] });
  const wanted = { alertname: each.alert, alertstate: 'firing', ...each.labels };
  const matchers = Object.entries(wanted).map(([label, value]) => `${label}="${value}"`);
  const fires = {
    interval: '1m',
    input_series: each.firing,
    alert_rule_test: each.notYet === undefined ? [] : [silent(each.notYet)],
    promql_expr_test: [
      {
        expr: `count(ALERTS{${matchers.join(',')}})`,
        eval_time: `${each.at}m`,
        exp_samples: [{ labels: '{}', value: 1 }],
      },
    ],
  };
  const quiet = { interval: '1m', input_series: each.quiet, alert_rule_test: [silent(each.at)] };
  for (const input of [fires, quiet]) {
    const { code, out, error } = await promtool(input);
    expect({ code, said: code === 0 ? '' : out + error }).toEqual({ code: 0, said: '' });
  }
});
