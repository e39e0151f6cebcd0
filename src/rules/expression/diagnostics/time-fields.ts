import { closestName } from '#src/clients/operation/closest-name.ts';
import { ExpressionError } from '../expression-error.ts';

/** The functions for the parts of a timestamp, which has no fields. */
const OF_TIMESTAMPS: Readonly<Record<string, string>> = {
  year: 'getFullYear',
  month: 'getMonth',
  day: 'getDate',
  date: 'getDate',
  weekday: 'getDayOfWeek',
  dayOfWeek: 'getDayOfWeek',
  hour: 'getHours',
  minute: 'getMinutes',
  second: 'getSeconds',
};

const OF_DURATIONS: Readonly<Record<string, string>> = { hour: 'getHours', minute: 'getMinutes', second: 'getSeconds' };

/** The fields of a duration that the library has. */
const FIELDS_OF_DURATIONS: readonly string[] = ['seconds', 'nanos'];

/** The error of a field of a timestamp or a duration, for example `now.hour`; undefined: the value is another one, or has the field. */
export function timeFieldError(type: string, field: string, at: number): ExpressionError | undefined {
  if (type === 'google.protobuf.Timestamp') {
    const name = calendarFunction(field, OF_TIMESTAMPS);
    return new ExpressionError('a timestamp has no fields', { at, hint: `write .${name ?? 'getHours'}("Europe/Paris")` });
  }
  if (type !== 'google.protobuf.Duration' || FIELDS_OF_DURATIONS.includes(field)) return undefined;
  return new ExpressionError('a duration has no fields', { at, hint: `write .${calendarFunction(field, OF_DURATIONS) ?? 'getHours'}()` });
}

function calendarFunction(field: string, functions: Readonly<Record<string, string>>): string | undefined {
  const meant = closestName(field, Object.keys(functions));
  return meant === undefined ? undefined : functions[meant];
}
