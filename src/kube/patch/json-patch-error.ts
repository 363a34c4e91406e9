import { ApiError } from '#kube/status.ts';

/** As on a real server, clients get the same text whatever fails in a JSON patch; `why` is for logs. */
export class JsonPatchFailed extends ApiError {
  readonly why: string;

  constructor(why: string) {
    super({
      code: 422,
      reason: 'Invalid',
      message: 'the server rejected our request due to an error in our request',
      details: {},
    });
    this.name = 'JsonPatchFailed';
    this.why = why;
  }
}
