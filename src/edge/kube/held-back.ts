import type { Dispatcher } from 'undici';
import { Unavailable } from './unavailable.ts';

type Asked = { readonly mayLeave?: () => boolean };

/** Stops requests that may not be sent any more: those that wait for a connection are checked again before they start. */
export const holdingBack: Dispatcher.DispatcherComposeInterceptor = (dispatch) => (options, handler) => {
  const { mayLeave } = options as Asked;
  return dispatch(options, mayLeave === undefined ? handler : asking(mayLeave, handler));
};

export const heldBack = (): Unavailable =>
  new Unavailable('The request was kept back: this process may no longer lead.');

function asking(mayLeave: () => boolean, handler: Dispatcher.DispatchHandler): Dispatcher.DispatchHandler {
  return {
    onRequestStart(controller, context) {
      handler.onRequestStart?.(controller, context);
      if (!mayLeave()) controller.abort(heldBack());
    },
    onRequestUpgrade: (...given) => handler.onRequestUpgrade?.(...given),
    onResponseStart: (...given) => handler.onResponseStart?.(...given),
    onResponseData: (...given) => handler.onResponseData?.(...given),
    onResponseEnd: (...given) => handler.onResponseEnd?.(...given),
    onResponseError: (...given) => handler.onResponseError?.(...given),
  };
}
