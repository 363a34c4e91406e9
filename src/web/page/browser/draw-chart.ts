import uPlot from 'uplot';
import { momentOf } from '#base/age.ts';
import type { MetricChart } from '#web/wire/hook-pages.ts';
import { meaningOf } from '#web/page/model/status-words.ts';

/** A drawn chart; it is removed when the page is left or the data is another. */
export type DrawnChart = { remove(): void };

const height = 168;

/** Draws the values of a metric with a mark for each verdict and a dashed line for each threshold. */
export function drawChart(place: HTMLElement, chart: MetricChart): DrawnChart {
  const points = chart.points.filter(
    (point) => point.number !== undefined && momentOf(point.time) !== undefined,
  );
  const times = points.map((point) => (momentOf(point.time) ?? 0) / 1000);
  const values = points.map((point) => point.number ?? null);
  const plot = new uPlot(
    {
      width: Math.max(160, place.clientWidth),
      height,
      legend: { show: false },
      cursor: { show: false },
      scales: {
        x: { range: () => widened(Math.min(...times), Math.max(...times), 1) },
        y: { range: (_, low, high) => valueRange(chart, low, high) },
      },
      axes: [
        { ...axis(), space: 84, values: (_, splits) => splits.map(clockText) },
        { ...axis(), size: 54 },
      ],
      series: [{}, { stroke: colour('--line'), width: 1.5, points: { show: false } }],
      hooks: {
        draw: [
          (drawn) => drawThresholds(drawn, chart),
          (drawn) => {
            points.forEach((point, index) => {
              drawMark(drawn, meaningOf(point.phase).tone, [times[index] ?? 0, point.number ?? 0]);
            });
          },
        ],
      },
    },
    [times, values],
    place,
  );
  const observer = new ResizeObserver(() => {
    plot.setSize({ width: Math.max(160, place.clientWidth), height });
  });
  observer.observe(place);
  return {
    remove() {
      observer.disconnect();
      plot.destroy();
    },
  };
}

const clock = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' });
const clockText = (seconds: number): string => clock.format(seconds * 1000);

const colour = (name: string): string =>
  getComputedStyle(document.documentElement).getPropertyValue(name).trim();

const axis = (): uPlot.Axis => ({
  stroke: colour('--quiet'),
  font: '11px system-ui, sans-serif',
  grid: { stroke: colour('--edge'), width: 1 },
  ticks: { stroke: colour('--edge'), width: 1 },
});

/** A range with space at both ends, also when there is one value only. */
function widened(low: number, high: number, least: number): uPlot.Range.MinMax {
  const space = Math.max((high - low) * 0.08, least);
  return [low - space, high + space];
}

/** The values and the thresholds are all visible. */
function valueRange(chart: MetricChart, low: number | null, high: number | null): uPlot.Range.MinMax {
  const all = [...chart.thresholds.map(({ value }) => value), low, high].filter((each) => each !== null);
  const least = Math.min(...all);
  const most = Math.max(...all);
  return all.length === 0 ? [0, 1] : widened(least, most, Math.max(Math.abs(most) * 0.1, 0.1));
}

function drawThresholds(plot: uPlot, chart: MetricChart): void {
  const { ctx, bbox } = plot;
  ctx.save();
  ctx.strokeStyle = colour('--bad');
  ctx.fillStyle = colour('--bad');
  ctx.lineWidth = 1.5 * devicePixelRatio;
  ctx.font = `${11 * devicePixelRatio}px system-ui, sans-serif`;
  for (const { value, label } of chart.thresholds) {
    const y = plot.valToPos(value, 'y', true);
    ctx.setLineDash([5 * devicePixelRatio, 4 * devicePixelRatio]);
    ctx.beginPath();
    ctx.moveTo(bbox.left, y);
    ctx.lineTo(bbox.left + bbox.width, y);
    ctx.stroke();
    ctx.textAlign = 'left';
    ctx.textBaseline = 'bottom';
    ctx.fillText(label, bbox.left + 6 * devicePixelRatio, y - 3 * devicePixelRatio);
  }
  ctx.restore();
}

/** A dot for a value that passed, a cross for one that did not, a square for others. */
function drawMark(plot: uPlot, tone: string, [x, y]: readonly [number, number]): void {
  const { ctx } = plot;
  const [left, top] = [plot.valToPos(x, 'x', true), plot.valToPos(y, 'y', true)];
  const size = 4.5 * devicePixelRatio;
  ctx.save();
  ctx.beginPath();
  if (tone === 'bad') {
    ctx.strokeStyle = colour('--bad');
    ctx.lineWidth = 2.2 * devicePixelRatio;
    ctx.moveTo(left - size, top - size);
    ctx.lineTo(left + size, top + size);
    ctx.moveTo(left + size, top - size);
    ctx.lineTo(left - size, top + size);
    ctx.stroke();
  } else {
    ctx.fillStyle = colour(tone === 'good' ? '--good' : '--waiting');
    if (tone === 'good') ctx.arc(left, top, size, 0, 2 * Math.PI);
    else ctx.rect(left - size, top - size, size * 2, size * 2);
    ctx.fill();
  }
  ctx.restore();
}
