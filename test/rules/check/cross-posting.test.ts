import { describe, expect, test } from 'vitest';
import { everyNetwork as accounts } from '../../support/every-network.ts';
import { check, unmark } from '../../support/rule-language.ts';

/** A rule that posts to all platforms when a stream begins, and runs `steps` when it ends. */
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

function diagnose(marked: string): readonly string[] {
  const { source, place } = unmark(marked);
  return check(source, { accounts }).diagnostics.map(
    ({ line, column, severity, message, hint }) =>
      `${`${line}:${column}` === place || place === '' ? '' : `${line}:${column} `}${severity} ${message}: ${hint ?? ''}`,
  );
}

describe('a step with several accounts: warnings', () => {
  test.for<[name: string, step: string, messages: readonly RegExp[]]>([
    [
      'the id of the first account for all accounts',
      '  - { do: social.deletePost, as: [x, bluesky, mastodon], with: { post: "${{ ▲steps.post.id }}" } }',
      [
        /^warning steps\.post is the result of x, but bluesky, mastodon would also use it: write steps\.post\.own, as steps\.post\.own\.id$/,
      ],
    ],
    [
      'the id of the first account for another account',
      '  - { do: social.createPost, as: mastodon, with: { text: over, replyTo: "${{ ▲steps.post.id }}" } }',
      [/^warning steps\.post is the result of x, but mastodon would also use it: write steps\.post\.own, as steps\.post\.own\.id$/],
    ],
    [
      'an operation that a platform lacks or restricts',
      '  - { ▲do: social.editPost, as: [x, bluesky, mastodon], with: { post: "${{ steps.post.own.id }}", text: over } }',
      [
        /^(\d+:\d+ )?warning x does not support this everywhere: the step may fail there: TIER_REQUIRED/,
        /^(\d+:\d+ )?warning bluesky does not support this: the step fails there: NO_FEATURE/,
      ],
    ],
    [
      'a parameter or a value that a platform lacks',
      '  - { do: social.createPost, as: [x, bluesky, mastodon], with: { text: over, ▲filter: Followers } }',
      [
        /^warning x has no filter Followers: the step fails there: NO_FEATURE/,
        /^warning mastodon has no filter: the step fails there: NO_FEATURE/,
      ],
    ],
    [
      'a poll option that is too long for one platform',
      '  - { do: social.createPost, as: [x, mastodon], with: { text: Who?, poll: { options: [Ada, ▲Grace with all of her friends] } } }',
      [/^warning the text has 29 characters, but x accepts 25: the step fails there: shorten the text$/],
    ],
    [
      'a poll option that is too long for most servers',
      '  - { do: social.createPost, as: mastodon, with: { text: Who?, poll: { options: [▲"Grace with ${{ item.title }} and whoever else of her friends is there", Ada] } } }',
      [/^warning the text has 52 characters, but mastodon accepts 50 on most servers: the step may fail there: shorten the text$/],
    ],
    [
      'a poll with several choices',
      '  - { do: social.createPost, as: [x, mastodon], with: { text: Who?, poll: { options: [Ada, Grace], ▲multiple: true } } }',
      [/^warning x has no poll\.multiple: the step fails there: NO_FEATURE/],
    ],
    [
      'files beside a poll',
      '  - { do: social.createPost, as: [x, mastodon], with: { text: Who?, poll: { options: [Ada, Grace] }, ▲files: [{ url: "https://example.org/card.png", altText: A card }] } }',
      [
        /^warning x does not accept files together with poll: the step fails there: remove one of them$/,
        /^warning mastodon does not accept files together with poll: the step fails there: remove one of them$/,
      ],
    ],
    [
      'a quote beside a poll',
      '  - { do: social.createPost, as: [x, mastodon], with: { text: Who?, poll: { options: [Ada, Grace] }, ▲quote: "https://x.com/ada/status/1" } }',
      [/^warning x does not accept quote together with poll: the quote is sent as a link there: remove one of them$/],
    ],
    [
      'a quote beside files',
      '  - { do: social.createPost, as: [x, bluesky], with: { text: Look, files: [{ url: "https://example.org/card.png", altText: A card }], ▲quote: "https://x.com/ada/status/1" } }',
      [/^warning x does not accept quote together with files: the quote is sent as a link there: remove one of them$/],
    ],
    [
      'a video beside a picture',
      '  - { do: social.createPost, as: [x, bluesky, mastodon], with: { text: Look, files: [{ url: "https://example.org/card.png", altText: A card }, ▲{ url: "https://example.org/clip.MP4?a=1", altText: A clip }] } }',
      [
        /^warning x does not accept this file together with other files: the step fails there: use a separate step for it$/,
        /^warning bluesky does not accept this file together with other files: the step fails there: use a separate step for it$/,
      ],
    ],
    [
      'more files than any platform takes',
      `  - { do: social.createPost, as: [x, mastodon], with: { text: Look, files: ▲[${'{ url: "https://a.test/1.png", altText: A card }, '.repeat(5)}] } }`,
      [/^error .*4/],
    ],
    [
      'more poll options than any platform allows',
      '  - { do: social.createPost, as: [x, mastodon], with: { text: Who?, poll: { options: ▲[a, b, c, d, e] } } }',
      [/^error .*4/],
    ],
    [
      'a longer poll than any platform allows',
      '  - { do: social.createPost, as: [x, mastodon], with: { text: Who?, poll: { options: [a, b], durationMinutes: ▲10081 } } }',
      [/^error .*10080/],
    ],
  ])('%s', ([, step, messages]) => {
    const diagnostics = diagnose(crossPost(step));

    expect(diagnostics).toHaveLength(messages.length);
    for (const [index, message] of messages.entries()) expect(diagnostics[index]).toMatch(message);
  });

  test.each(['live with @ada', 'live with @ada, at last'])('a name without a host is a different account on each platform: %s', (text) => {
    const diagnostics = diagnose(crossPost('', { text: JSON.stringify(text) }));

    expect(diagnostics).toEqual([expect.stringMatching(/@ada is a different account on x, bluesky and mastodon/)]);
  });

  test.each(['live with @ada.bsky.social', 'live with @ada@example.social', 'mail ada@example.com', 'https://example.social/@ada'])(
    'a name with a host gets no warning: %s',
    (text) => {
      expect(diagnose(crossPost('', { text: JSON.stringify(text) }))).toEqual([]);
    },
  );
});

describe('a step with several accounts: no warning', () => {
  test.for([
    [
      'the result of the same account',
      '  - { do: social.deletePost, as: [x, bluesky, mastodon], with: { post: "${{ steps.post.own.id }}" } }',
    ],
    ['a result of a single account', '  - { do: social.createPost, as: x, with: { text: over, replyTo: "${{ steps.post.id }}" } }'],
    [
      'the result of a named account',
      '  - { do: social.createPost, as: mastodon, with: { text: over, replyTo: "${{ steps.post.on.mastodon.id }}" } }',
    ],
    [
      'a link in a text',
      '  - { do: social.createPost, as: [x, mastodon], if: steps.post.url != "", with: { text: "over: ${{ steps.post.url }}" } }',
    ],
    ['a link in a Discord message', '  - { do: discord.send, with: { channel: live, content: "${{ steps.post.url }}" } }'],
    [
      'a quote, which becomes a link on platforms without quotes',
      '  - { do: social.createPost, as: [x, bluesky, mastodon], with: { text: over, quote: "${{ steps.post.own.id }}" } }',
    ],
    [
      'poll options within the limits',
      `  - { do: social.createPost, as: [x, mastodon], with: { text: Who?, poll: { options: [${'a'.repeat(25)}, "\${{ item.title }}"], multiple: false } } }`,
    ],
    ['a parameter with its default value', '  - { do: social.createPost, as: [x, bluesky], with: { text: over, postOnTimeline: false } }'],
  ] as const)('%s', ([, step]) => {
    expect(diagnose(crossPost(step)).filter((diagnostic) => !diagnostic.includes('no account supports discord'))).toEqual([]);
  });
});

describe('language and visibility of a post', () => {
  const post = (as: string, more: string): string =>
    `id: r\nwhen: { every: 5m }\nthen: [{ do: social.createPost, as: ${as}, with: { text: hi, ${more} } }]\n`;

  test('an unknown language code is an error', () => {
    expect(diagnose(post('mastodon', 'language: ▲german'))).toEqual([expect.stringMatching(/^error .*not a language code/u)]);
    expect(diagnose(post('mastodon', 'language: de'))).toEqual([]);
  });

  test('the name that Mastodon has for followers is an error with the name to write', () => {
    expect(diagnose(post('mastodon', 'visibility: followers'))).toEqual([]);
    expect(diagnose(post('mastodon', 'visibility: ▲private'))).toEqual([expect.stringMatching(/^error .*did you mean followers\?/u)]);
  });

  test('a visibility that a platform lacks is reported with the platform', () => {
    expect(diagnose(post('mastodon', 'visibility: unlisted'))).toEqual([]);
    expect(diagnose(post('x', 'visibility: unlisted')).join(' ')).toMatch(/\bx\b.*visibility/su);
    expect(diagnose(post('bluesky', 'visibility: unlisted')).join(' ')).toMatch(/\bbluesky\b.*visibility/su);
  });
});
