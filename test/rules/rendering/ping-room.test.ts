import { describe, expect, test } from 'vitest';
import type { Fit } from '#src/rules/step.ts';
import { rendered } from './fixture.ts';

/** Discord's limit of a message. */
const MOST = 2000;
/** The longest ping of a role, with the space behind it. */
const PING = `<@&${'9'.repeat(20)}> `;

const words = Array.from({ length: 450 }, (_, n) => `word${n}`);

function messagesOf(content: string, fit: Fit, mention: readonly string[] = ['Live', 'News']) {
  const answer = rendered({ channel: 'live', content, mention }, { do: 'discord.send', fit });
  return 'thread' in answer ? answer.thread : 'params' in answer ? [answer.params] : answer;
}

/** The texts of the messages with all words. */
function textsWith(fit: Fit): readonly string[] {
  const sent = messagesOf(words.join(' '), fit);
  return 'failure' in sent || !Array.isArray(sent) ? [] : sent.map(({ content }) => String(content));
}

/** The length of the longest text with two pings. */
function longest(texts: readonly string[]): number {
  return Math.max(...texts.map((text) => PING.length * 2 + text.length));
}

describe('the text of a message leaves room for its pings', () => {
  test('with fit: truncate', () => {
    const texts = textsWith('truncate');

    expect(texts).toEqual([expect.stringMatching(/^word0 .{1800,}…$/u)]);
    expect(longest(texts)).toBeLessThanOrEqual(MOST);
  });

  test('with fit: thread, which keeps every word', () => {
    const texts = textsWith('thread');

    expect(texts.join(' ').split(/\s+/u)).toEqual(words);
    expect(longest(texts)).toBeLessThanOrEqual(MOST);
  });

  test('with fit: error, which fails', () => {
    const long = 'x'.repeat(MOST - 10);

    expect(messagesOf(long, 'error', [])).toMatchObject([{ content: long }]);
    expect(messagesOf(long, 'error')).toEqual({
      failure: 'discord.send: the text has 1990 characters, and the limit is 1950 beside the pings',
    });
    expect(messagesOf('x'.repeat(MOST + 1), 'error')).toEqual({
      failure: 'discord.send: the text has 2001 characters, and the limit is 1950 beside the pings',
    });
  });

  test('of an edit, which keeps them', () => {
    const edit = { do: 'discord.edit', creates: false };
    const params = { message: '1', content: words.join(' ') };
    const most = MOST - PING.length * 2;
    const upTo = (length: number): unknown => ({
      params: { message: '1', content: expect.stringMatching(new RegExp(`^.{${length - 20},${length}}$`, 'u')) },
    });

    expect(rendered(params, edit)).toEqual(upTo(MOST));
    expect(rendered(params, edit, { edited: { mention: ['Live', 'News'] } })).toEqual(upTo(most));
  });

  test.each([
    ['a ping of all members takes its own length', ['@everyone'], 'x'.repeat(MOST - '@everyone '.length)],
    ['a ping of a member takes the length of its id', ['123456789012345678'], 'x'.repeat(MOST - '<@&123456789012345678> '.length)],
    ['a repeated ping takes room once', ['Live', 'Live'], 'x'.repeat(MOST - PING.length)],
    ['a ping in the text takes no further room', ['here', '<@123456789012345678>'], `@here <@123456789012345678> ${'x'.repeat(MOST - 40)}`],
  ])('%s', (_, mention, content) => {
    expect(messagesOf(content, 'error', mention)).toMatchObject([{ content }]);
  });

  test('a longer word than a ping does not count as a ping in the text', () => {
    expect(messagesOf(`@everyone1 ${'x'.repeat(MOST - 15)}`, 'error', ['everyone'])).toHaveProperty('failure');
  });

  test('a ping at the end of a text that fits takes no room', () => {
    const content = `${'x'.repeat(MOST - 10)} @everyone`;

    for (const fit of ['error', 'truncate'] as const)
      expect(messagesOf(content, fit, ['everyone'])).toEqual([{ channel: 'live', content, mention: ['everyone'] }]);
  });

  test('a ping that is cut away has room in front', () => {
    const link = 'https://example.com/watch';

    for (const content of [
      `${words.join(' ')} @everyone`,
      `${link} Live @everyone ${words.join(' ')} ${link}`,
      `@everyone ${words.join(' ')} ${link}`,
    ]) {
      const sent = messagesOf(content, 'truncate', ['everyone']);
      const [text] = 'failure' in sent || !Array.isArray(sent) ? [] : sent.map((one) => String(one['content']));
      const pings = text?.includes('@everyone') ? '' : '@everyone ';

      expect(`${pings}${text}`).toMatch(/^.{1900,2000}$/u);
    }
  });
});
