import { describe, expect, test } from 'vitest';
import { chain, pagedBot } from '../../support/paged-bot.ts';

const three = chain(['a'], ['b'], ['c']);

describe('rule 12: the next page is requested waitTime after the last response at the earliest', () => {
  test('the default is two seconds', async () => {
    const { bot, clock, requests } = pagedBot(three);
    const walk = bot.getTopStreams({ pages: 2 }).then((streams) => streams.length);

    await clock.advance(1999);
    const before = requests.length;
    await clock.advance(1);

    expect(before).toBe(1);
    expect(await walk).toBe(2);
  });

  test('waitTime can be a fraction of a second', async () => {
    const { bot, clock, requests } = pagedBot(three);
    const walk = bot.getTopStreams({ pages: 'all', waitTime: 0.5 }).then((streams) => streams.length);

    await clock.advance(500);
    const inBetween = requests.length;
    await clock.advance(500);

    expect(inBetween).toBe(2);
    expect(await walk).toBe(3);
  });

  test('the time that the consumer needs for a page counts', async () => {
    const { bot, clock, requests } = pagedBot(three);
    const pages = bot.iterTopStreams({ pages: 'all', waitTime: 5 });
    await pages.next();
    await clock.advance(4000);

    const second = pages.next();
    await clock.advance(999);
    const before = requests.length;
    await clock.advance(1);
    await second;

    expect([before, requests.length]).toEqual([1, 2]);
    await pages.return();
  });

  test('a consumer that needs longer does not wait', async () => {
    const { bot, clock, requests } = pagedBot(three);
    const pages = bot.iterTopStreams({ pages: 'all', waitTime: 5 });
    await pages.next();
    await clock.advance(5000);

    await pages.next();

    expect(requests).toHaveLength(2);
    await pages.return();
  });

  test('waitTime begins with the response, not with the request', async () => {
    const { bot, clock, requests } = pagedBot(three, { onRequest: () => clock.sleep(3000) });
    const walk = bot.getTopStreams({ pages: 2, waitTime: 2 }).then((streams) => streams.length);

    await clock.advance(4999);
    const before = requests.length;
    await clock.advance(3001);

    expect(before).toBe(1);
    expect(await walk).toBe(2);
  });

  test('there is no wait after the last requested page', async () => {
    const { bot, clock } = pagedBot(three);

    await bot.getTopStreams({ pages: 1, waitTime: 60 });

    expect(clock.sleeping).toBe(0);
  });

  test('there is no wait after the last existing page', async () => {
    const { bot, clock } = pagedBot(chain(['a']));

    await bot.getTopStreams({ pages: 'all', waitTime: 60 });

    expect(clock.sleeping).toBe(0);
  });
});
