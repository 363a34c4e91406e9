import type { ApiBody } from '#kube/http.ts';

/** The whole body of an answer, whatever form it has; of a stream, all until it ends. */
export async function textOf(body: ApiBody): Promise<string> {
  switch (body.type) {
    case 'text':
      return body.text;
    case 'bytes':
      return new TextDecoder().decode(body.bytes);
    case 'chunks':
      return [...body.chunks].join('');
    case 'stream': {
      let text = '';
      for await (const piece of body.stream) text += piece;
      return text;
    }
  }
}
