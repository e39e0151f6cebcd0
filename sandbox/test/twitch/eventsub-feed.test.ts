import { describe, expect, test } from 'vitest';
import type { EventSubEvent } from '../../twitch/eventsub/topic.ts';
import { toEventSub } from '../../twitch/eventsub/world-events.ts';
import { EventFeed } from '../../world/event-feed.ts';
import type { WorldEvent } from '../../world/world.ts';
import { ManualClock } from '../../../test/support/manual-clock.ts';
import { EVENING_MS, freshWorld, HOUR_MS, MINUTE_MS } from '../../../test/support/sandbox-world.ts';

const HANDLE = 'midnightowl';

describe('the feed of the world', () => {
  /** The feed of a world with a stopped clock, and the events that it sent. */
  function openFeed() {
    const clock = new ManualClock(EVENING_MS);
    const world = freshWorld();
    const sent: EventSubEvent[] = [];
    const feed = new EventFeed({ world, clock, emit: (event) => sent.push(toEventSub(event)) });
    feed.start();
    return { clock, world, sent, feed };
  }

  const KINDS: Readonly<Record<WorldEvent['kind'], string>> = {
    wentLive: 'stream.online',
    ended: 'stream.offline',
    changedGame: 'channel.update',
    changedTitle: 'channel.update',
  };

  test('sends all events of an hour with orders, in order', async () => {
    const { clock, world, sent, feed } = openFeed();
    for (let minute = 0; minute < 60; minute++) {
      await clock.advance(30_017);
      if (minute % 7 === 0) world.order({ do: 'goLive', user: 'ada' }, clock.nowMs());
      if (minute % 7 === 3) world.order({ do: 'end', user: 'ada' }, clock.nowMs());
      await clock.advance(29_983);
    }
    feed.stop();

    const truth = world.eventsBetween(EVENING_MS, EVENING_MS + HOUR_MS);
    // A change of game and title is one update.
    const expected = truth
      .filter(({ kind, at, person }, index) => {
        const before = truth[index - 1];
        return !(
          kind === 'changedTitle' &&
          before?.kind === 'changedGame' &&
          before.person === person &&
          before.at.getTime() === at.getTime()
        );
      })
      .map(({ kind, person }) => [KINDS[kind], person.id]);
    expect(sent.map(({ type, conditions }) => [type, conditions[0]?.['broadcaster_user_id']])).toEqual(expected);
    expect(clock.sleeping).toBe(0);
  });

  test('sends both orders of one millisecond, and no event twice', () => {
    const { clock, world, sent, feed } = openFeed();
    clock.set(EVENING_MS + 10 * MINUTE_MS);

    world.order({ do: 'goLive', user: HANDLE, game: 'Chess' }, clock.nowMs());
    world.order({ do: 'changeGame', user: HANDLE, game: 'Minecraft' }, clock.nowMs());
    feed.stop();

    const { id } = world.findPerson(HANDLE) ?? {};
    expect(sent.filter(({ conditions }) => conditions[0]?.['broadcaster_user_id'] === id).map(({ type }) => type)).toEqual([
      'stream.online',
      'channel.update',
    ]);
  });
});
