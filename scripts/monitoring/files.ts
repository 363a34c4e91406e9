import { stringify } from 'yaml';
import { ruleGroups } from './alerts.ts';
import { grafanaDashboard } from './dashboard.ts';

/** The generated files of `deploy/monitoring`. */
export const monitoringFiles = (
  origin: string,
): readonly { readonly path: string; readonly text: string }[] => [
  { path: 'deploy/monitoring/dashboard.json', text: `${JSON.stringify(grafanaDashboard(), undefined, 2)}\n` },
  { path: 'deploy/monitoring/alerts.yaml', text: `# ${origin}\n${yaml(ruleGroups())}` },
  { path: 'deploy/monitoring/kustomization.yaml', text: `# ${origin}\n${yaml(kustomization())}` },
  { path: 'deploy/monitoring/prometheus-rule.yaml', text: `# ${origin}\n${yaml(prometheusRule())}` },
];

/** Both for `kubectl apply -k`; Grafana's sidecar finds the dashboard by its label. */
const kustomization = (): object => ({
  apiVersion: 'kustomize.config.k8s.io/v1beta1',
  kind: 'Kustomization',
  resources: ['prometheus-rule.yaml'],
  configMapGenerator: [
    {
      name: 'boathook-dashboard',
      files: ['dashboard.json'],
      options: { labels: { grafana_dashboard: '1' }, disableNameSuffixHash: true },
    },
  ],
});

/** The same rules for the Prometheus Operator. */
const prometheusRule = (): object => ({
  apiVersion: 'monitoring.coreos.com/v1',
  kind: 'PrometheusRule',
  metadata: { name: 'boathook', labels: { 'app.kubernetes.io/name': 'boathook' } },
  spec: ruleGroups(),
});

const yaml = (value: object): string => stringify(value, { lineWidth: 110, aliasDuplicateObjects: false });
