import { stringify } from 'yaml';
import { ruleGroups } from './alerts.ts';
import { grafanaDashboard } from './dashboard.ts';

/** The generated files of `deploy/monitoring`. */
export const monitoringFiles = (
  origin: string,
): readonly { readonly path: string; readonly text: string }[] => [
  { path: 'deploy/monitoring/dashboard.json', text: `${JSON.stringify(grafanaDashboard(), undefined, 2)}\n` },
  { path: 'deploy/monitoring/alerts.yaml', text: `# ${origin}\n${yaml(ruleGroups())}` },
  { path: 'deploy/monitoring/prometheus-rule.yaml', text: `# ${origin}\n${yaml(prometheusRule())}` },
];

/** The same rules for the Prometheus Operator. */
const prometheusRule = (): object => ({
  apiVersion: 'monitoring.coreos.com/v1',
  kind: 'PrometheusRule',
  metadata: { name: 'boathook', labels: { 'app.kubernetes.io/name': 'boathook' } },
  spec: ruleGroups(),
});

const yaml = (value: object): string => stringify(value, { lineWidth: 110, aliasDuplicateObjects: false });
