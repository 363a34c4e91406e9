import type { JsonObject } from '#base/json.ts';
import type { ApiRequest, ApiResponse } from '#kube/http.ts';
import { json, pageNotFound, plainType, text } from './request/answer.ts';
import { methodNotAllowed } from './discovery/discovery.ts';

/** Named health checks; each returns whether it passes. */
export type HealthChecks = Readonly<Record<string, () => boolean>>;

type HealthRoute = { readonly check: string; readonly part: string };

/** `/healthz`, `/livez` and `/readyz`: short, verbose, or one check. */
export function health(
  checks: HealthChecks,
  request: ApiRequest,
  { check: name, part }: HealthRoute,
): ApiResponse {
  const names = Object.keys(checks);
  if (part !== '') {
    const check = Object.hasOwn(checks, part) ? checks[part] : undefined;
    if (check === undefined) return pageNotFound();
    return check()
      ? text(200, plainType, 'ok')
      : text(500, plainType, `internal server error: ${part} is not ready\n`);
  }
  const failed = names.filter((each) => checks[each]?.() !== true);
  const verbose = request.query.split('&').some((each) => each === 'verbose' || each.startsWith('verbose='));
  if (failed.length === 0 && !verbose) return text(200, plainType, 'ok');
  const lines = names.map((name) =>
    failed.includes(name) ? `[-]${name} failed: not ready` : `[+]${name} ok`,
  );
  const verdict = `${name} check ${failed.length === 0 ? 'passed' : 'failed'}`;
  return text(failed.length === 0 ? 200 : 503, plainType, `${lines.join('\n')}\n${verdict}\n`);
}

/** The version the server claims to be. */
export type Version = { readonly minor: number; readonly patch: number; readonly build: string };

export function versionAnswer(version: Version, request: ApiRequest): ApiResponse {
  if (request.method !== 'GET' && request.method !== 'HEAD') throw methodNotAllowed();
  return json(200, versionDocument(version));
}

export const gitVersion = ({ minor, patch, build }: Version): string =>
  `v1.${minor}.${patch}+boathook.${build}`;

function versionDocument({ minor, patch, build }: Version): JsonObject {
  return {
    major: '1',
    minor: String(minor),
    gitVersion: gitVersion({ minor, patch, build }),
    gitCommit: '0000000000000000000000000000000000000000',
    gitTreeState: 'clean',
    buildDate: '2026-01-01T00:00:00Z',
    goVersion: 'none',
    compiler: 'none',
    platform: 'embedded/boathook',
  };
}
