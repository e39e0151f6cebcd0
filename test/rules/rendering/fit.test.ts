import { describe, expect, test } from 'vitest';
import type { TextLimit } from '#src/operation/text/limit.ts';
import { runsOf } from '#src/operation/text/links.ts';
import type { Rendered } from '#src/rules/render.ts';
import { ada, scopeOf } from '../../support/rule-language.ts';
import { rendered } from './fixture.ts';

/** A platform whose posts have so many characters, of which a link takes twenty-three. */
function taking(most: number): TextLimit {
  return { most, lengthOf: (text) => runsOf(text).reduce((sum, run) => sum + (run.link ? 23 : run.text.length), 0) };
}

const textLimit = taking(60);
const words = { scope: scopeOf({ ...ada, title: 'word '.repeat(40).trim() }), textLimit };

function textIn(answer: Rendered): unknown {
  return 'params' in answer ? answer.params['text'] : undefined;
}

describe('a post that is too long for its platform', () => {
  test('is shortened, with its links whole, and as the platform counts', () => {
    const answer = rendered({ text: '${{ item.title }} ${{ item.url }}' }, {}, words);

    expect(answer).toEqual({ params: { text: expect.stringMatching(/^word .*… https:\/\/twitch\.tv\/ada_$/u) } });
    expect(textIn(answer)).toSatisfy((text: string) => textLimit.lengthOf(text) <= 60);
  });

  test('is shortened also where its author wrote every word', () => {
    expect(rendered({ text: 'word '.repeat(40).trim() }, {}, { textLimit: taking(10) })).toEqual({ params: { text: 'word word…' } });
  });

  test('fails where that is wanted, with its length and the most that fits', () => {
    expect(rendered({ text: '${{ item.title }}' }, { fit: 'error' }, words)).toEqual({
      failure: 'social.createPost: a text is 199 long, and 60 is the most that fits',
    });
  });

  test('is as long as it likes where no limit is known', () => {
    expect(rendered({ text: '${{ item.title }}' }, { fit: 'error' }, { ...words, textLimit: undefined })).toEqual({
      params: { text: 'word '.repeat(40).trim() },
    });
  });
});

describe('a text that becomes a thread', () => {
  test('is parted at the ends of its sentences; what stands beside it goes with the first part', () => {
    const parameters = {
      text: 'Ada is live with chess, for the first time in weeks. ${{ item.title }}. See https://twitch.tv/ada_ for more.',
      files: ['card.png'],
      filter: 'Followers',
      community: 'c1',
      quote: 'p1',
      replyTo: 'p0',
    };
    const scope = scopeOf({ ...ada, title: 'She is looking for somebody who beats her' });

    const answer = rendered(parameters, { fit: 'thread' }, { scope, textLimit });

    expect(answer).toEqual({
      thread: [
        { ...parameters, text: 'Ada is live with chess, for the first time in weeks.' },
        { text: 'She is looking for somebody who beats her.', community: 'c1' },
        { text: 'See https://twitch.tv/ada_ for more.', community: 'c1' },
      ],
    });
  });

  test('stays one post where it fits', () => {
    expect(rendered({ text: 'Ada is live.' }, { fit: 'thread' }, { textLimit })).toEqual({ params: { text: 'Ada is live.' } });
  });

  test('is without the space at its end where only that was too long', () => {
    expect(rendered({ text: `${'a'.repeat(8)}   ` }, { fit: 'thread' }, { textLimit: taking(10) })).toEqual({
      params: { text: 'a'.repeat(8) },
    });
  });

  test.for([
    ['thread', 'social.createPost: text: a link in it is 23 long, and 20 is the most that fits: it cannot be cut'],
    ['error', 'social.createPost: a text is 27 long, and 20 is the most that fits'],
  ] as const)('of a link that no post can hold nothing goes out where the text must stay whole: %s', ([fit, failure]) => {
    expect(rendered({ text: 'see https://twitch.tv/ada_' }, { fit }, { textLimit: taking(20) })).toEqual({ failure });
  });

  test('a link that no post can hold is left out of what is shortened; nothing goes out where nothing else is said', () => {
    const within = { textLimit: taking(20) };

    expect(rendered({ text: 'see https://twitch.tv/ada_ now' }, {}, within)).toEqual({ params: { text: 'see … now' } });
    expect(rendered({ text: 'https://twitch.tv/ada_' }, {}, within)).toEqual({
      failure: 'social.createPost: a link in it is 23 long, and 20 is the most that fits: it cannot be cut',
    });
  });

  test('is told in the same channel in Discord', () => {
    const parameters = { channel: 'live', content: '${{ item.title }}', mention: ['mods'], embed: { title: '${{ item.title }}' } };
    const scope = scopeOf({ ...ada, title: `${'word '.repeat(500).trim()}.` });

    const answer = rendered(parameters, { do: 'discord.send', fit: 'thread' }, { scope, account: 'discord' });

    const thread = 'thread' in answer ? answer.thread : [];
    expect(thread.map(({ channel, mention }) => [channel, mention])).toEqual([
      ['live', ['mods']],
      ['live', undefined],
    ]);
    expect(thread.map(({ content }) => typeof content === 'string' && content.length <= 2000)).toEqual([true, true]);
    expect(JSON.stringify(thread[0]?.['embed'])).toContain('…');
  });

  test('is shortened where its operation answers nothing', () => {
    const edit = { do: 'social.editPost', creates: false, fit: 'thread' } as const;

    expect(rendered({ post: 'p1', text: 'word '.repeat(40).trim() }, edit, { textLimit: taking(10) })).toEqual({
      params: { post: 'p1', text: 'word word…' },
    });
  });

  test('fails where it would be a flood of posts', () => {
    expect(rendered({ text: '${{ item.title }}' }, { fit: 'thread' }, { ...words, textLimit: taking(5) })).toEqual({
      failure: 'social.createPost: text is long enough for 40 posts, and a thread has at most 25',
    });
  });
});

describe('a message of which everything came out empty', () => {
  test('is skipped, and does not fail', () => {
    expect(
      rendered({ channel: 'live', content: '${{ item.title }}' }, { do: 'discord.send' }, { scope: scopeOf({ ...ada, title: '' }) }),
    ).toEqual({ skip: { kind: 'emptySaying', issue: 'there is nothing to send: give content, embed or files' } });
  });
});
