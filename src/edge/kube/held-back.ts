import type { Dispatcher } from 'undici';
import { Unavailable } from './unavailable.ts';

type Asked = { readonly mayLeave?: () => boolean };

/** Keeps requests back that may not leave any more: those in line for a connection are asked again when one is free. */
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
