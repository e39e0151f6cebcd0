import { describe, expect, test } from 'vitest';
import { accountsOf } from '#src/app/accounts.ts';
import { readConfig } from '#src/config/config.ts';
import { check, unmark } from '../../support/rule-language.ts';

/** An account on each platform. */
const accounts = accountsOf(
  readConfig({
    X_API_KEY: 'k',
    X_API_SECRET: 's',
    X_ACCESS_TOKEN: 't',
    X_ACCESS_SECRET: 'u',
    BLUESKY_HANDLE: 'ada.example.org',
    BLUESKY_APP_PASSWORD: 'p',
    MASTODON_URL: 'https://example.social',
    MASTODON_TOKEN: 'm',
    FANFARE_SANDBOX: 'none',
    TWITCH_CLIENT_ID: 'i',
    TWITCH_CLIENT_SECRET: 'j',
  }),
);

/** A rule that posts everywhere when a stream begins, and does something of its own afterwards. */
function crossPost(steps: string, { text = 'live' }: { readonly text?: string } = {}): string {
  const then = [
    'id: cross',
    'when: { every: 1m, watch: streaming.getStreams, with: { users: [ada] }, grace: 10m }',
    'then:',
    '  - id: post',
    '    do: social.createPost',
    '    as: [x, bluesky, mastodon]',
    `    with: { text: ${text} }`,
  ];
  return [...then, ...(steps === '' ? [] : ['finally:', steps])].join('\n');
}

function told(marked: string): readonly string[] {
  const { source, place } = unmark(marked);
  return check(source, { accounts }).problems.map(
    ({ line, column, severity, message, hint }) =>
      `${`${line}:${column}` === place || place === '' ? '' : `${line}:${column} `}${severity} ${message}: ${hint ?? ''}`,
  );
}

describe('a step that goes out through several accounts is warned of', () => {
  test.for<[told: string, step: string, messages: readonly RegExp[]]>([
    [
      'the id that the first account got, given to all',
      '  - { do: social.deletePost, as: [x, bluesky, mastodon], with: { post: "${{ ▲steps.post.id }}" } }',
      [/^warning steps\.post is what x made: bluesky, mastodon would get it, too: write steps\.post\.own, as steps\.post\.own\.id$/],
    ],
    [
      'the id that the first account got, given to another one',
      '  - { do: social.createPost, as: mastodon, with: { text: over, replyTo: "${{ ▲steps.post.id }}" } }',
      [/^warning steps\.post is what x made: mastodon would get it, too: write steps\.post\.own, as steps\.post\.own\.id$/],
    ],
    [
      'an operation that a platform lacks, and one that it does not have for everybody',
      '  - { ▲do: social.editPost, as: [x, bluesky, mastodon], with: { post: "${{ steps.post.own.id }}", text: over } }',
      [
        /^(\d+:\d+ )?warning x does this not everywhere: the step may fail there: TIER_REQUIRED/,
        /^(\d+:\d+ )?warning bluesky cannot do this: the step fails there: NO_FEATURE: Posts cannot be edited\. Instead: deletePost and createPost\.$/,
      ],
    ],
    [
      'a parameter that a platform lacks, and a value of one',
      '  - { do: social.createPost, as: [x, bluesky, mastodon], with: { text: over, ▲filter: Followers } }',
      [
        /^warning x has no filter Followers: the step fails there: NO_FEATURE/,
        /^warning mastodon has no filter: the step fails there: NO_FEATURE/,
      ],
    ],
  ])('%s', ([, step, messages]) => {
    const problems = told(crossPost(step));

    expect(problems).toHaveLength(messages.length);
    for (const [index, message] of messages.entries()) expect(problems[index]).toMatch(message);
  });

  test.each(['live with @ada', 'live with @ada, at last'])('a name that is another person on each platform: %s', (text) => {
    const problems = told(crossPost('', { text: JSON.stringify(text) }));

    expect(problems).toEqual([
      expect.stringMatching(/@ada is whoever has that name on each of x, bluesky, mastodon, and hardly one person/),
    ]);
  });

  test.each(['live with @ada.bsky.social', 'live with @ada@example.social', 'mail ada@example.com', 'https://example.social/@ada'])(
    'a name that says where somebody is, is none: %s',
    (text) => {
      expect(told(crossPost('', { text: JSON.stringify(text) }))).toEqual([]);
    },
  );
});

describe('nothing is said', () => {
  test.for([
    [
      'of what each account made itself',
      '  - { do: social.deletePost, as: [x, bluesky, mastodon], with: { post: "${{ steps.post.own.id }}" } }',
    ],
    ['of one account that reads its own', '  - { do: social.createPost, as: x, with: { text: over, replyTo: "${{ steps.post.id }}" } }'],
    [
      'of a named account',
      '  - { do: social.createPost, as: mastodon, with: { text: over, replyTo: "${{ steps.post.on.mastodon.id }}" } }',
    ],
    ['of an address that people read', '  - { do: social.createPost, as: [x, mastodon], with: { text: "over: ${{ steps.post.url }}" } }'],
    ['of a message in Discord', '  - { do: discord.send, with: { channel: live, content: "${{ steps.post.url }}" } }'],
    [
      'of a quote, which becomes a link where there is none',
      '  - { do: social.createPost, as: [x, bluesky, mastodon], with: { text: over, quote: "${{ steps.post.own.id }}" } }',
    ],
    ['of what is off', '  - { do: social.createPost, as: [x, bluesky], with: { text: over, postOnTimeline: false } }'],
  ] as const)('%s', ([, step]) => {
    expect(told(crossPost(step)).filter((problem) => !problem.includes('no account that can do discord'))).toEqual([]);
  });
});
