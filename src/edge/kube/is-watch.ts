import type { TransportRequest } from './transport.ts';

/** Whether a request is a watch, which lasts for minutes. */
export const isWatch = ({ query }: Pick<TransportRequest, 'query'>): boolean =>
  /(?:^|&)watch=(?:true|1)(?:&|$)/.test(query);
