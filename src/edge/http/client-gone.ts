import { ApiError } from '#kube/status.ts';

/**
 * The client closed the connection, or the server is closing, before the response was complete. An ordinary
 * event, not a failure: it is not logged.
 */
export class ClientGone extends ApiError {
  constructor() {
    super({ code: 400, reason: 'BadRequest', message: 'the client went away' });
    this.name = 'ClientGone';
  }
}
