import { hashText } from '#base/hash.ts';
import type { JsonObject } from '#base/json.ts';
import { printJson } from '#base/json-text.ts';
import type { ApiRequest, ApiResponse } from '#kube/http.ts';
import { ApiError } from '#kube/status.ts';
import { jsonType, pageNotFound } from '#embedded/server/request/answer.ts';
import { accepted, notAcceptable, onlyMediaTypes, type Format } from '#embedded/server/request/negotiate.ts';
import type { Group, Registry } from '#embedded/server/registry/registry.ts';
import { aggregated } from './aggregated.ts';
import { apiVersions, groupDocument, groupList, resourceList } from './legacy.ts';

type Document = { readonly text: string; readonly type: string; readonly tag: string };

/** Answers `/api`, `/apis` and below; documents are made once per change of the registry. */
export class Discovery {
  readonly #registry: Registry;
  readonly #documents = new Map<string, Document>();
  #generation = 0;

  constructor(registry: Registry) {
    this.#registry = registry;
  }

  answer(request: ApiRequest, path: readonly string[]): ApiResponse {
    if (request.method !== 'GET' && request.method !== 'HEAD') throw methodNotAllowed();
    const format = formatFor(request.headers['accept'], path);
    const document = this.#document(path, format);
    if (document === undefined) return this.#nothingAt(path);
    const headers = {
      'content-type': document.type,
      'cache-control': 'public',
      etag: document.tag,
      vary: 'Accept',
    };
    if (request.headers['if-none-match'] === document.tag) {
      return { status: 304, headers, body: { type: 'text', text: '' } };
    }
    return { status: 200, headers, body: { type: 'text', text: document.text } };
  }

  /** An unknown group is no path at all; an unknown version of a known one is a resource not found. */
  #nothingAt(path: readonly string[]): ApiResponse {
    const [root = '', group = '', version] = path;
    const known =
      root === 'api' ? group !== '' : this.#registry.group(group) !== undefined && version !== undefined;
    if (known) throw resourceNotFound();
    return pageNotFound();
  }

  #document(path: readonly string[], format: Format): Document | undefined {
    if (this.#generation !== this.#registry.generation) {
      this.#documents.clear();
      this.#generation = this.#registry.generation;
    }
    const version = format.type === 'discovery' ? format.version : '';
    const key = `${version} ${path.join('/')}`;
    const known = this.#documents.get(key);
    if (known !== undefined) return known;
    const content = version === '' ? this.#legacy(path) : this.#aggregated(path, version);
    if (content === undefined) return undefined;
    const body = printJson(content);
    const type =
      version === '' ? jsonType : `${jsonType};g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`;
    const document = { text: body, type, tag: `"${hashText(body)}"` };
    this.#documents.set(key, document);
    return document;
  }

  #aggregated(path: readonly string[], version: string): JsonObject | undefined {
    const core = path[0] === 'api';
    return aggregated(
      this.#registry.groups().filter((group) => (group.name === '') === core),
      version,
    );
  }

  #legacy(path: readonly string[]): JsonObject | undefined {
    const [root, ...rest] = path;
    if (root === 'api') return rest.length === 0 ? apiVersions() : this.#resources('', rest[0]);
    if (rest.length === 0) return groupList(this.#registry.groups());
    const group = this.#registry.group(rest[0] ?? '');
    if (group === undefined || group.name === '') return undefined;
    return rest.length === 1 ? groupDocument(group) : this.#resources(group.name, rest[1]);
  }

  #resources(name: string, version: string | undefined): JsonObject | undefined {
    const group: Group | undefined = this.#registry.group(name);
    const found = group?.versions.find((each) => each.version === version);
    return found === undefined ? undefined : resourceList(name, found);
  }
}

const aggregatedVersions = new Set(['v2', 'v2beta1']);

/** The aggregated form exists for the two roots only; elsewhere its parameters do not matter. */
function formatFor(header: string | undefined, path: readonly string[]): Format {
  const formats = accepted(header);
  const found = formats.find(
    (format) =>
      format.type === 'json' ||
      (format.type === 'discovery' && path.length === 1 && aggregatedVersions.has(format.version)),
  );
  if (found !== undefined) return found;
  throw formats.length > 0 ? onlyMediaTypes() : notAcceptable();
}

export const methodNotAllowed = (): ApiError =>
  new ApiError({
    code: 405,
    reason: 'MethodNotAllowed',
    message: 'the server does not allow this method on the requested resource',
    details: {},
  });

export const resourceNotFound = (): ApiError =>
  new ApiError({
    code: 404,
    reason: 'NotFound',
    message: 'the server could not find the requested resource',
    details: {},
  });
