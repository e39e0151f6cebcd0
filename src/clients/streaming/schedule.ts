import { z } from 'zod';
import { paging, type CallOptions } from '#src/clients/operation/call.ts';
import { userText, type IdValue } from '#src/clients/operation/parameters.ts';
import { list } from '#src/clients/operation/operation.ts';
import { userName } from './choices.ts';
import { Schedule } from './containers.ts';
import { ScheduledStream, type User } from './records.ts';

const GetSchedule = z.strictObject({
  user: userText().describe('A handle, with or without @, or an id.'),
  days: z.int().min(1).max(60).default(14).describe('Only streams that start within this number of days.'),
  ...paging,
});
export interface GetScheduleOptions extends Omit<z.input<typeof GetSchedule>, 'user'>, CallOptions {}

/**
 * The next streams in the schedule of a channel, soonest first. A stream that has started is no longer listed.
 *
 * @example
 * const [next] = await bot.getSchedule('ada', { days: 7 });
 */
export const getSchedule = list('getSchedule', {
  watch: 'set',
  params: GetSchedule,
  item: ScheduledStream,
  into: Schedule,
  args: (user: IdValue | User, options: GetScheduleOptions = {}) => ({ user: userName(user), ...options }),
});
