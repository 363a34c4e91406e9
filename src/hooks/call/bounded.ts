import type { ProviderReading } from '#hooks/decide/reading.ts';
import { cut } from './evidence.ts';

const longestText = 1024;
/** Long enough for the last lines of the log of a Job. */
const longestBody = 2048;

/** A reading with texts short enough for a status: objects, logs and scripts can contain texts of any length. */
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
