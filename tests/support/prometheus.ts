import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { vi } from 'vitest';
import { tempDir } from '#edge/testing/temp-dir.ts';
import { needs, provide, thisSystem } from '../../scripts/system-needs.ts';
import { followProgram } from './program.ts';

/** A real Prometheus that has scraped its target. */
export type Prometheus = {
  /** With the path it is served under. */
  readonly address: string;
  /** Without it. */
  readonly origin: string;
  [Symbol.asyncDispose](): Promise<void>;
};

/** Starts Prometheus on a free port of this machine; it knows the samples of `metrics`, a text as exporters write it. */
export async function startPrometheus(metrics: string): Promise<Prometheus> {
  const provided = provide(
    needs.filter(({ name }) => name === 'prometheus'),
    thisSystem(),
  );
  if (provided.type === 'refused') throw new Error(provided.why);
  const folder = tempDir();
  const exporter = await startExporter(metrics);
  const config = join(folder.path, 'prometheus.yml');
  writeFileSync(config, JSON.stringify(scraping(exporter.port)));
  const running = followProgram('prometheus', [
    `--config.file=${config}`,
    `--storage.tsdb.path=${join(folder.path, 'data')}`,
    '--web.listen-address=127.0.0.1:0',
    '--web.route-prefix=/prom',
  ]);
  const dispose = async (): Promise<void> => {
    await running.stop();
    exporter.server.close();
    folder[Symbol.dispose]();
  };
  try {
    await running.errorLike(/Server is ready to receive web requests/);
    const origin = `http://${/msg="Listening on" address=(\S+)/.exec(running.errors())?.[1]}`;
    await untilScraped(`${origin}/prom`);
    return { address: `${origin}/prom/`, origin, [Symbol.asyncDispose]: dispose };
  } catch (error) {
    await dispose();
    throw error;
  }
}

/** JSON is YAML too. A scrape that is given up takes the samples of before away, so there is time for each. */
const scraping = (port: number) => ({
  global: { scrape_interval: '2s', scrape_timeout: '2s' },
  scrape_configs: [{ job_name: 'exporter', static_configs: [{ targets: [`127.0.0.1:${port}`] }] }],
});

/** Settles when it has samples. */
async function untilScraped(url: string): Promise<void> {
  const query = `${url}/api/v1/query?query=${encodeURIComponent('up == 1')}`;
  await vi.waitFor(
    async () => {
      const said = await (await fetch(query)).text();
      if (!said.includes('"job":"exporter"')) throw new Error(`Prometheus has no samples: ${said}`);
    },
    { timeout: 120_000 },
  );
}

async function startExporter(metrics: string): Promise<{ readonly server: Server; readonly port: number }> {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/plain; version=0.0.4');
    response.end(metrics);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return { server, port: (server.address() as AddressInfo).port };
}
