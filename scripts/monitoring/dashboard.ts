import { panels, type PanelRow } from './panels.ts';

const datasource = { type: 'prometheus', uid: '${datasource}' };
const width = 24;

/** The dashboard of Grafana, as its import takes it. */
export function grafanaDashboard(): object {
  return {
    uid: 'boathook',
    title: 'Boathook',
    tags: ['boathook', 'kubernetes'],
    schemaVersion: 39,
    editable: true,
    graphTooltip: 1,
    refresh: '30s',
    time: { from: 'now-6h', to: 'now' },
    templating: { list: [datasourceVariable, jobVariable] },
    panels: rowsOf(panels),
  };
}

const datasourceVariable = {
  name: 'datasource',
  type: 'datasource',
  label: 'Data source',
  query: 'prometheus',
};

const jobVariable = {
  name: 'job',
  type: 'query',
  label: 'Job',
  datasource,
  query: { query: 'label_values(boathook_build_info, job)', refId: 'job' },
  refresh: 2,
  includeAll: true,
  multi: true,
  allValue: '.*',
  current: { text: 'All', value: '$__all' },
};

type Place = { readonly y: number; readonly id: number; readonly placed: readonly object[] };

/** Rows from top to bottom, and the panels of each side by side. */
const rowsOf = (rows: readonly PanelRow[]): readonly object[] =>
  rows.reduce<Place>(addRow, { y: 0, id: 1, placed: [] }).placed;

function addRow({ y, id, placed }: Place, { title, panels: content }: PanelRow): Place {
  const w = Math.floor(width / content.length);
  const row = { id, type: 'row', title, collapsed: false, gridPos: { x: 0, y, w: width, h: 1 }, panels: [] };
  const made = content.map((panel, index) => ({
    id: id + 1 + index,
    type: panel.type ?? 'timeseries',
    title: panel.title,
    ...(panel.description !== undefined && { description: panel.description }),
    datasource,
    gridPos: { x: index * w, y: y + 1, w, h: 8 },
    fieldConfig: { defaults: { unit: panel.unit ?? 'short', min: 0 }, overrides: [] },
    targets: panel.targets.map(([legendFormat, expr], target) => ({
      refId: String.fromCharCode(65 + target),
      datasource,
      expr,
      legendFormat,
      ...(panel.type === 'stat' && { instant: true }),
    })),
  }));
  return { y: y + 9, id: id + 1 + content.length, placed: [...placed, row, ...made] };
}
