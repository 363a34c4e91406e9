import { hashText } from '#base/hash.ts';
import type { JsonObject } from '#base/json.ts';
import { parseJson, printJson } from '#base/json-text.ts';
import type { ApiRequest, ApiResponse } from '#kube/http.ts';
import { openApiDocument } from '#embedded/server/openapi/document.ts';
import { olderDocument } from '#embedded/server/openapi/older-document.ts';
import {
  askedOlderOpenApi,
  olderOpenApiType,
  olderProtobuf,
} from '#embedded/server/openapi/older-protobuf.ts';
import { ApiError } from '#kube/status.ts';
import { jsonType, pageNotFound } from '#embedded/server/request/answer.ts';
import type { Registry } from '#embedded/server/registry/registry.ts';
import type { ApiResource } from '#embedded/server/registry/resource.ts';
import { methodNotAllowed } from './discovery.ts';

type Document = { readonly text: string; readonly hash: string };

/** Serves `/openapi/v3` and below; a document is made when it is first requested, or indexed. */
export class OpenApi {
  readonly #registry: Registry;
  readonly #version: string;
  readonly #documents = new Map<
    string,
    { readonly resources: readonly ApiResource[]; readonly document: Document }
  >();

  #whole: { readonly hash: string; text?: string; bytes?: Uint8Array } = { hash: '' };

  constructor(registry: Registry, version: string) {
    this.#registry = registry;
    this.#version = version;
  }

  answer(request: ApiRequest, path: readonly string[]): ApiResponse {
    if (request.method !== 'GET' && request.method !== 'HEAD') throw methodNotAllowed();
    const [form, ...rest] = path;
    if (form === 'v2' && rest.length === 0) return this.#older(request);
    if (form !== 'v3') return pageNotFound();
    if (rest.length === 0) return this.#index(request);
    const document = this.#document(rest.join('/'));
    return document === undefined ? pageNotFound() : documentAnswer(request, rest.join('/'), document);
  }

  #index(request: ApiRequest): ApiResponse {
    const paths: Record<string, { serverRelativeURL: string }> = {};
    for (const path of this.#paths().keys()) {
      const document = this.#document(path);
      if (document !== undefined)
        paths[path] = { serverRelativeURL: `/openapi/v3/${path}?hash=${document.hash}` };
    }
    const text = JSON.stringify({ paths });
    return tagged(request, { text, hash: hashText(text) }, 'public');
  }

  /** All group versions in one OpenAPI v2 document, for older clients. */
  #older(request: ApiRequest): ApiResponse {
    const form = olderForm(request.headers['accept']);
    const documents = [...this.#paths().keys()].flatMap((path) => this.#document(path) ?? []);
    const hash = hashText(documents.map((each) => each.hash).join());
    if (this.#whole.hash !== hash) this.#whole = { hash };
    if (form === 'json') {
      this.#whole.text ??= printJson(this.#olderDocument(documents));
      return tagged(request, { text: this.#whole.text, hash: `${hash}J` }, 'public');
    }
    this.#whole.bytes ??= olderProtobuf(this.#olderDocument(documents));
    const { status, headers } = tagged(request, { text: '', hash }, 'public');
    const bytes = status === 304 ? new Uint8Array() : this.#whole.bytes;
    return {
      status,
      headers: { ...headers, 'content-type': olderOpenApiType },
      body: { type: 'bytes', bytes },
    };
  }

  #olderDocument(documents: readonly Document[]): JsonObject {
    const parsed = documents.map(({ text }) => parseJson(text) as JsonObject);
    return olderDocument(parsed, this.#version);
  }

  /** `api/v1`, `apis/apps/v1` … and what each serves. */
  #paths(): ReadonlyMap<string, readonly ApiResource[]> {
    const paths = new Map<string, readonly ApiResource[]>();
    for (const group of this.#registry.groups()) {
      for (const { version, resources } of group.versions) {
        paths.set(group.name === '' ? `api/${version}` : `apis/${group.name}/${version}`, resources);
      }
    }
    return paths;
  }

  #document(path: string): Document | undefined {
    const resources = this.#paths().get(path);
    if (resources === undefined) return undefined;
    const known = this.#documents.get(path);
    if (known !== undefined && sameList(known.resources, resources)) return known.document;
    const [first] = resources;
    if (first === undefined) return undefined;
    const text = printJson(openApiDocument(first, resources.map(described), this.#version));
    const document = { text, hash: hashText(text).toUpperCase() };
    this.#documents.set(path, { resources, document });
    return document;
  }
}

/** The form that the client prefers; JSON when it names none. */
function olderForm(accept: string | undefined): 'json' | 'protobuf' {
  if (accept === undefined || accept === '') return 'json';
  const choices = accept.split(',').map((choice) => {
    const [type = '', ...parameters] = choice.split(';').map((part) => part.trim().toLowerCase());
    const quality = parameters.find((each) => each.startsWith('q='))?.slice(2);
    return { type, quality: quality === undefined ? 1 : Number(quality) };
  });
  for (const { type } of choices.sort((left, right) => right.quality - left.quality)) {
    if (type === askedOlderOpenApi || type === olderOpenApiType) return 'protobuf';
    if (type === jsonType || type === 'application/*' || type === '*/*') return 'json';
  }
  throw new ApiError({
    code: 406,
    reason: 'NotAcceptable',
    message: `/openapi/v2 is served as ${jsonType} and ${olderOpenApiType}`,
    details: {},
  });
}

const sameList = (left: readonly ApiResource[], right: readonly ApiResource[]): boolean =>
  left.length === right.length && left.every((resource, at) => resource === right[at]);

function described(resource: ApiResource): Parameters<typeof openApiDocument>[1][number] {
  const { group, version, kind, listKind, plural, namespaced, verbs, subresources, source } = resource;
  const custom =
    source.type === 'custom' ? { schema: source.schema, preserveUnknown: source.preserveUnknown } : {};
  return { group, version, kind, listKind, plural, namespaced, verbs, subresources, ...custom };
}

/** With the current hash the response may be cached for ever; with another hash the client is redirected. */
function documentAnswer(request: ApiRequest, path: string, document: Document): ApiResponse {
  const asked = new URLSearchParams(request.query).get('hash');
  if (asked === null) return tagged(request, document, 'public');
  if (asked === document.hash) return tagged(request, document, 'public, immutable');
  const location = `/openapi/v3/${path}?hash=${document.hash}`;
  return {
    status: 301,
    headers: { location, 'cache-control': 'no-cache' },
    body: { type: 'text', text: '' },
  };
}

function tagged(request: ApiRequest, { text, hash }: Document, cache: string): ApiResponse {
  const headers = { 'content-type': jsonType, 'cache-control': cache, etag: `"${hash}"`, vary: 'Accept' };
  const unchanged = request.headers['if-none-match'] === `"${hash}"`;
  return { status: unchanged ? 304 : 200, headers, body: { type: 'text', text: unchanged ? '' : text } };
}
