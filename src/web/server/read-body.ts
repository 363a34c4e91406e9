import type { Json } from '#base/json.ts';
import { parseJson } from '#base/json-text.ts';
import { BodyTooLarge, type ApiRequest } from '#kube/http.ts';

export type ReadJson =
  | { readonly type: 'json'; readonly json: Json }
  | { readonly type: 'refused'; readonly status: number; readonly message: string };

/** The JSON body of a request. Other content types are refused: a form of another page could send them. */
export async function readJson(request: ApiRequest, limit: number): Promise<ReadJson> {
  const type = request.headers['content-type'] ?? '';
  if (!/^application\/json\s*(?:;|$)/i.test(type))
    return { type: 'refused', status: 415, message: 'send JSON with the content type application/json' };
  try {
    const bytes = await request.body(limit);
    return { type: 'json', json: parseJson(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) };
  } catch (error) {
    if (error instanceof BodyTooLarge) return { type: 'refused', status: 413, message: error.message };
    if (error instanceof SyntaxError || error instanceof TypeError)
      return { type: 'refused', status: 400, message: 'the body is not JSON' };
    throw error;
  }
}
