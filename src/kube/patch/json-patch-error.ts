import { ApiError } from '#kube/status.ts';

/** P3: whatever goes wrong while a JSON patch is applied, clients see this one text; `why` is for logs. */
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
