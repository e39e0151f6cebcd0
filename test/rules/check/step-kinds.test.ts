import { describe, expect, test } from 'vitest';
import { diagnosticsOf, ruleOf } from '../../support/rule-language.ts';

/** A rule that watches streams. Its steps begin at line 4. */
function rule(steps: string, { when = '', more = '' } = {}): string {
  return `id: r\nwhen: { every: 1m, watch: streaming.getStreams, with: { users: [ada] }${when} }\nthen:\n${steps}\n${more}`;
}

const POST = '  - { id: post, as: [bluesky, mastodon], do: social.createPost, with: { text: hi } }';
const SEND = '  - { do: discord.send, with: { channel: a, content: hi } }';

describe('a wait', () => {
  test('delays all steps below it; several waits of a list add up', () => {
    const { then: opening, finally: closing } = ruleOf(
      rule(`${SEND}\n  - wait: 10m\n${SEND}\n  - wait: 1h\n${SEND}`, { more: `finally:\n  - wait: 5s\n${SEND}` }),
    );

    expect(opening.map(({ afterMs }) => afterMs)).toEqual([undefined, 600_000, 4_200_000]);
    expect(closing.map(({ afterMs }) => afterMs)).toEqual([5_000]);
  });

  test.each([['  - { wait: ▲soon }', 'error wrong-value then[0].wait']])('%s: %s', (steps, expected) => {
    expect(diagnosticsOf(rule(steps))).toContainEqual(`▲ ${expected}`);
  });
});

describe('a step with forEach', () => {
  test('knows the type of its element and returns a list', () => {
    const steps = [
      '  - { id: one, forEach: "${{ items }}", if: index < 3, do: social.createPost, with: { text: "${{ it.title }} ${{ it.owner.handle }} ${{ index + 1 }}" } }',
      '  - { forEach: item.tags, do: social.createPost, with: { text: "${{ it }} ${{ steps.one.map(p, p.url).join() }}" } }',
      '  - { forEach: "[1, 2].map(n, {\'a\': n})", do: social.createPost, with: { text: "${{ string(it.a) }}" } }',
    ].join('\n');
    const { then, names } = ruleOf(rule(steps));

    expect(then.map(({ forEach }) => forEach)).toEqual(['items', 'item.tags', "[1, 2].map(n, {'a': n})"]);
    expect(then.map(({ reads }) => reads)).toEqual([[], ['one'], []]);
    expect(names.lists).toEqual(['one']);
  });

  test.each([
    ['{ forEach: items, do: social.createPost, with: { text: "${{ it.▲titel }}" } }', 'expression then[0].with.text'],
    ['{ forEach: item.tags, do: social.createPost, with: { text: "${{ it.▲x }}" } }', 'expression then[0].with.text'],
    ['{ forEach: ▲item.title, do: social.createPost, with: { text: "${{ it }}" } }', 'wrong-type then[0].forEach'],
    ['{ forEach: ▲it, do: social.createPost, with: { text: hi } }', 'expression then[0].forEach'],
    ['{ do: social.createPost, with: { text: "${{ ▲it }}" } }', 'expression then[0].with.text'],
    [
      '{ id: a, forEach: item.tags, do: social.createPost, with: { text: x } }\n  - { do: social.createPost, with: { text: "${{ ▲steps.a.url }}" } }',
      'expression then[1].with.text',
    ],
  ])('%s: %s', (step, expected) => {
    expect(diagnosticsOf(rule(`  - ${step}`))).toEqual([`▲ error ${expected}`]);
  });
});

const SENT = 'do: discord.send, with: { channel: live, content: "${{ it.title }}" }';

test.each(['items', '"changes.entered.map(one, one.item)"'])('a step that each firing sends for all of %s gets a warning', (list) => {
  expect(diagnosticsOf(rule(`  - { forEach: ▲${list}, ${SENT} }`))).toEqual(['▲ warning list-for-each-item then[0].forEach']);
});

test.each([
  rule(`  - { forEach: "items.filter(one, one.game.name == item.game.name)", ${SENT} }`),
  rule('  - { forEach: items, do: discord.put, with: { name: "${{ it.owner.id }}", channel: live, content: "${{ it.title }}" } }'),
])('other steps about a list get no warning: %s', (source) => {
  expect(diagnosticsOf(source)).toEqual([]);
});

describe('the results of several accounts', () => {
  test('are read for the first account, the same account or a named account', () => {
    const reply =
      '  - { as: [bluesky, mastodon], do: social.createPost, with: { replyTo: "${{ steps.post.own.id }}", text: "${{ steps.post.url }} ${{ steps.post.on.mastodon.url }}" } }';
    const { then, names } = ruleOf(rule(`${POST}\n${reply}`));

    expect(then[1]?.reads).toEqual(['post.own', 'post', 'post.on.mastodon']);
    expect(names.accounts).toEqual({ post: ['bluesky', 'mastodon'] });
  });

  test.each([
    ['as: bluesky, do: social.createPost, with: { text: "${{ steps.post.on.▲mastdon.url }}" }', 'error expression then[1].with.text'],
    ['as: bluesky, do: social.createPost, with: { text: "${{ ▲steps.post.on }}" }', 'error expression then[1].with.text'],
    ['do: discord.send, with: { channel: a, content: "${{ ▲steps.post.own.url }}" }', 'error empty-own then[1].with.content'],
  ])('%s: %s', (step, expected) => {
    expect(diagnosticsOf(rule(`${POST}\n  - { ${step} }`))).toEqual([`▲ ${expected}`]);
  });

  test('get a warning if only some of the accounts have one', () => {
    expect(
      diagnosticsOf(
        rule(
          `${POST.replace(', mastodon', '')}\n  - { as: [bluesky, mastodon], do: social.createPost, with: { text: "\${{ ▲steps.post.own.url }}" } }`,
        ),
      ),
    ).toEqual([`▲ warning empty-own then[1].with.text`]);
  });
});

describe('the options of a step', () => {
  test('are read as written', () => {
    const step = '{ do: social.createPost, fit: thread, onError: stop, retry: { for: 1h, attempts: 3 }, maxAge: 5m, with: { text: hi } }';

    expect(ruleOf(rule(`  - ${step}`)).then[0]).toMatchObject({
      fit: 'thread',
      onError: 'stop',
      retry: { forMs: 3_600_000, attempts: 3 },
      maxAgeMs: 300_000,
    });
  });

  test('maxAge applies to steps that create something, not to edits and steps of finally', () => {
    const edit = '{ do: discord.edit, with: { message: x, content: hi } }';
    const { then: opening, finally: closing } = ruleOf(rule(`${SEND}\n  - ${edit}`, { when: ', maxAge: 2h', more: `finally:\n${SEND}` }));

    expect([...opening, ...closing].map(({ maxAgeMs }) => maxAgeMs)).toEqual([7_200_000, undefined, undefined]);
  });

  test.each([
    ['fit: ▲cut', 'wrong-value then[0].fit'],
    ['onError: ▲go', 'wrong-value then[0].onError'],
    ['retry: { attempts: ▲0 }', 'wrong-value then[0].retry.attempts'],
    ['maxAge: ▲long', 'wrong-value then[0].maxAge'],
  ])('%s: %s', (key, expected) => {
    expect(diagnosticsOf(rule(`  - { do: discord.send, ${key}, with: { channel: a, content: hi } }`))).toEqual([`▲ error ${expected}`]);
  });

  test('an empty message is an error', () => {
    expect(diagnosticsOf(rule('  - { do: discord.send, with: { channel: a } }'))).toEqual(['4:31 error wrong-value then[0].with']);
  });
});
