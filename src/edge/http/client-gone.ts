import { ApiError } from '#kube/status.ts';

/**
 * The client closed the connection, or the server is closing, before the answer was complete. A refusal, not
 * a failure, for whoever serves: an ordinary event of which nobody needs to be told.
 */
export class ClientGone extends ApiError {
  constructor() {
    super({ code: 400, reason: 'BadRequest', message: 'the client went away' });
    this.name = 'ClientGone';
  }
}
