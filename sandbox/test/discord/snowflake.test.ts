import { SnowflakeUtil } from 'discord.js';
import { fc } from '../../../test/support/property.ts';
import { expect, test } from 'vitest';
import { compareIds, madeAtMs, Snowflakes, toTimestamp } from '../../discord/snowflake.ts';
import { ManualClock } from '../../../test/support/manual-clock.ts';

const instant = fc.date({ min: new Date('2016-01-01'), max: new Date('2060-01-01'), noInvalidDate: true });

test('ids increase and never repeat, even if the clock moves', () => {
  fc.assert(
    fc.property(fc.array(instant, { minLength: 2, maxLength: 30 }), (instants) => {
      const clock = new ManualClock();
      const ids = new Snowflakes(clock);

      const made = instants.map((at) => {
        clock.set(at);
        return ids.next();
      });

      expect(made.toSorted(compareIds)).toEqual(made);
      expect(new Set(made).size).toBe(made.length);
    }),
  );
});

test('discord.js reads the creation time from an id', () => {
  fc.assert(
    fc.property(instant, (at) => {
      const id = new Snowflakes(new ManualClock(at)).next();

      expect(SnowflakeUtil.timestampFrom(id)).toBe(at.getTime());
      expect(madeAtMs(id)).toBe(at.getTime());
      expect(Date.parse(toTimestamp(madeAtMs(id)))).toBe(at.getTime());
    }),
  );
});
