import { describe, expect, test } from 'vitest';
import type { TextLimit } from '#src/clients/operation/text/limit.ts';
import { runsOf } from '#src/clients/operation/text/links.ts';
import type { Rendered } from '#src/rules/render.ts';
import { ada, scopeOf } from '../../support/rule-language.ts';
import { rendered, textsOf } from './fixture.ts';

/** The limit of a platform that counts a link as 23 characters. */
function taking(most: number): TextLimit {
  return { most, lengthOf: (text) => runsOf(text).reduce((sum, run) => sum + (run.link ? 23 : run.text.length), 0) };
}

const textLimit = taking(60);
const words = { scope: scopeOf({ ...ada, title: 'word '.repeat(40).trim() }), textLimit };

function textIn(answer: Rendered): unknown {
  return 'params' in answer ? answer.params['text'] : undefined;
}

describe('a post that is too long', () => {
  test('is shortened by the count of the platform and keeps whole links', () => {
    const answer = rendered({ text: '${{ item.title }} ${{ item.url }}' }, {}, words);

    expect(answer).toEqual({ params: { text: expect.stringMatching(/^word .*… https:\/\/twitch\.tv\/ada_$/u) } });
    expect(textIn(answer)).toSatisfy((text: string) => textLimit.lengthOf(text) <= 60);
  });

  test('is shortened if it is a literal text', () => {
    expect(rendered({ text: 'word '.repeat(40).trim() }, {}, { textLimit: taking(10) })).toEqual({ params: { text: 'word word…' } });
  });

  test('fails with fit: error, with its length and the limit', () => {
    expect(rendered({ text: '${{ item.title }}' }, { fit: 'error' }, words)).toEqual({
      failure: 'social.createPost: the text has 199 characters, and the limit is 60',
    });
  });

  test('is unchanged without a known limit', () => {
    expect(rendered({ text: '${{ item.title }}' }, { fit: 'error' }, { ...words, textLimit: undefined })).toEqual({
      params: { text: 'word '.repeat(40).trim() },
    });
  });
});

describe('a reply on a platform that needs a mention in front of it', () => {
  const answering = { ...words, textLimit: { ...taking(60), replyPrefix: '@somebody ' } };
  const reply = { text: '${{ item.title }}', replyTo: 'p0' };

  test('leaves room for the mention', () => {
    expect(textIn(rendered(reply, {}, answering))).toSatisfy((text: string) => text.length <= 50 && text.length > 40);
    expect(textIn(rendered({ text: '${{ item.title }}' }, {}, answering))).toSatisfy((text: string) => text.length > 50);
    expect(rendered(reply, { fit: 'error' }, answering)).toEqual({
      failure: 'social.createPost: the text has 199 characters, and the limit is 50 beside the mention of a reply',
    });
  });

  describe('whose post only its followers can read', () => {
    const mentions = '@ada @grace @heidi @ivan ';
    const repeating = { ...answering, textLimit: { ...answering.textLimit, mentionsIn: (text: string) => text.match(/@\w+/gu) ?? [] } };
    const first = { id: 'p0', text: `${mentions}are live`, visibility: 'followers' };
    const to = (visibility: string, account = 'x') => ({
      ...repeating,
      results: { first: [{ account, result: { ...first, visibility } }] },
    });

    test.for([
      ['leaves room for its mentions, which the reply repeats', to('followers'), 60 - mentions.length],
      ['leaves room for one mention if everyone can read it', to('public'), 50],
      ['leaves room for one mention if another account wrote it', to('followers', 'y'), 50],
    ] as const)('%s', ([, options, most]) => {
      expect(textIn(rendered(reply, {}, options))).toSatisfy((text: string) => text.length <= most && text.length > most - 10);
    });

    test('leaves room for them in an edit of the reply', () => {
      const record = { ...first, id: 'r1', replyTo: { postId: 'p0' } };

      const edited = rendered(
        { post: 'r1', text: '${{ item.title }}' },
        { do: 'social.editPost', creates: false },
        {
          ...repeating,
          edited: { result: record },
        },
      );

      expect(textIn(edited)).toSatisfy((text: string) => text.length <= 60 - mentions.length);
    });

    test('leaves room for them in each part of a thread to the followers', () => {
      const text = `${mentions}\${{ item.title }}`;
      const partsFor = (visibility: string) => textsOf(rendered({ text, visibility }, { fit: 'thread' }, repeating));

      expect(Math.max(...partsFor('followers').map(({ length }) => length))).toBeLessThanOrEqual(60 - mentions.length);
      expect(Math.max(...partsFor('public').map(({ length }) => length))).toBeGreaterThan(50);
    });
  });

  test('leaves room in each part of a thread', () => {
    const parts = textsOf(rendered(reply, { fit: 'thread' }, answering));

    expect(parts.length).toBeGreaterThan(1);
    expect(parts).toSatisfy((all: readonly string[]) => all.every((text) => text.length <= 50));
  });

  test.for([
    [{ id: 'r1', replyTo: { postId: 'p0' } }, 50],
    [{ id: 'r1' }, 60],
  ] as const)('leaves room when %j is edited', ([result, most]) => {
    const edit = { do: 'social.editPost', creates: false };
    const record = JSON.parse(JSON.stringify(result));

    const edited = rendered({ post: 'r1', text: '${{ item.title }}' }, edit, { ...answering, edited: { result: record } });

    expect(textIn(edited)).toSatisfy((text: string) => text.length <= most && text.length > most - 10);
  });
});

test('each part of a thread has the visibility and the language of the first', () => {
  const whole = { text: '${{ item.title }}', visibility: 'followers', language: 'de' };

  const answer = rendered(whole, { fit: 'thread' }, words);

  expect('thread' in answer && answer.thread.length > 1).toBe(true);
  expect('thread' in answer && answer.thread).toSatisfy((parts: readonly object[]) =>
    parts.every((part) => 'visibility' in part && part.visibility === 'followers' && 'language' in part && part.language === 'de'),
  );
});

describe('a text with fit: thread', () => {
  test('is split at the ends of sentences; other parameters belong to the first part', () => {
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

  test('is one post if it fits', () => {
    expect(rendered({ text: 'Ada is live.' }, { fit: 'thread' }, { textLimit })).toEqual({ params: { text: 'Ada is live.' } });
  });

  test('loses the space at its end', () => {
    expect(rendered({ text: `${'a'.repeat(8)}   ` }, { fit: 'thread' }, { textLimit: taking(10) })).toEqual({
      params: { text: 'a'.repeat(8) },
    });
  });

  test.for([
    ['thread', 'social.createPost: text: a link in the text has a length of 23, the limit is 20, and Fanfare cannot shorten it'],
    ['error', 'social.createPost: the text has 27 characters, and the limit is 20'],
  ] as const)('fails if a link fits in no post: %s', ([fit, failure]) => {
    expect(rendered({ text: 'see https://twitch.tv/ada_' }, { fit }, { textLimit: taking(20) })).toEqual({ failure });
  });

  test('a link that fits in no post is removed by shortening; a text of only that link fails', () => {
    const within = { textLimit: taking(20) };

    expect(rendered({ text: 'see https://twitch.tv/ada_ now' }, {}, within)).toEqual({ params: { text: 'see … now' } });
    expect(rendered({ text: 'https://twitch.tv/ada_' }, {}, within)).toEqual({
      failure: 'social.createPost: a link in the text has a length of 23, the limit is 20, and Fanfare cannot shorten it',
    });
  });

  test('stays in its channel in Discord', () => {
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

  test('is shortened if its operation has no replyTo', () => {
    const edit = { do: 'social.editPost', creates: false, fit: 'thread' } as const;

    expect(rendered({ post: 'p1', text: 'word '.repeat(40).trim() }, edit, { textLimit: taking(10) })).toEqual({
      params: { post: 'p1', text: 'word word…' },
    });
  });

  test('fails if the thread would be too long', () => {
    expect(rendered({ text: '${{ item.title }}' }, { fit: 'thread' }, { ...words, textLimit: taking(5) })).toEqual({
      failure: 'social.createPost: text needs more than 25 posts, and a thread has at most 25',
    });
  });
});

describe('a message without content', () => {
  test('is skipped', () => {
    expect(
      rendered({ channel: 'live', content: '${{ item.title }}' }, { do: 'discord.send' }, { scope: scopeOf({ ...ada, title: '' }) }),
    ).toEqual({ skip: { kind: 'emptyMessage', issue: 'there is nothing to send: give content, embed, embeds, layout or files' } });
  });
});

test('a list of links in Discord loses whole lines from its end', () => {
  const lines = Array.from({ length: 40 }, (_, index) => `- [A clip with a title of a usual length](<https://clips.test/${index}>)`);
  const step = { do: 'discord.send', as: ['discord'] };

  const answer = rendered({ channel: 'live', content: lines.join('\n') }, step, { account: 'discord' });

  expect(answer).toEqual({ params: { channel: 'live', content: [...lines.slice(0, 29), '…'].join('\n') } });
});
