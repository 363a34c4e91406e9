import type { ProviderReading } from '#hooks/decide/reading.ts';
import { cut } from './evidence.ts';

const longestText = 1024;
/** The last lines of a Job are the longest that any provider keeps. */
const longestBody = 2048;

/** A reading as it may be kept and shown: what objects, logs and scripts say can be of any length and hold anything. */
export function bounded(reading: ProviderReading): ProviderReading {
  const { request, body } = reading.evidence;
  const evidence = {
    ...reading.evidence,
    ...(request === undefined ? {} : { request: cut(request, longestText) }),
    ...(body === undefined ? {} : { body: cut(body, longestBody) }),
  };
  switch (reading.type) {
    case 'value':
      return { ...reading, value: cut(reading.value, longestText), evidence };
    case 'no-data':
      return { ...reading, why: cut(reading.why, longestText), evidence };
    case 'verdict': {
      const { value, message } = reading;
      return {
        ...reading,
        ...(value === undefined ? {} : { value: cut(value, longestText) }),
        ...(message === undefined ? {} : { message: cut(message, longestText) }),
        evidence,
      };
    }
    case 'error':
      return { ...reading, message: cut(reading.message, longestText), evidence };
  }
}
