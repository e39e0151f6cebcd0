import { describe, expect, test } from 'vitest';
import type { Accounts } from '#src/rules/accounts.ts';
import { messagesOf, list, PUT, SEND, slot, videos } from './fixture.ts';

describe('a diagnostic of a step', () => {
  test.each<[code: string, marked: string, message: string, accounts?: Accounts]>([
    ['error unclosed-expression', slot({ steps: '{ do: discord.send, with: { channel: live, content: "▲${{ 1" } }' }), '${{ is not closed'],
    [
      'error duplicate-account',
      slot({ steps: '{ do: social.createPost, as: [bluesky, ▲bluesky], with: { text: hi } }' }),
      'the account bluesky appears twice',
    ],
    ['error missing-do', slot({ steps: '▲{ with: { channel: live } }' }), 'do is missing'],
    ['error unknown-operation', slot({ steps: '{ do: ▲discord.sent, with: {} }' }), 'unknown operation discord.sent'],
    ['error wait-with-keys', slot({ steps: '{ wait: 10m, ▲if: x }' }), 'a step with wait cannot have if'],
    [
      'error no-answer',
      slot({ steps: '{ do: discord.send, ▲answerWithin: 1h, with: { channel: live, content: hi } }' }),
      'discord.send waits for no answer',
    ],
    ['warning last-wait', slot({ steps: `${SEND}\n  - ▲{ wait: 1m }` }), 'no step follows this wait'],
    [
      'warning ends-with-episode',
      list({ steps: `${SEND}\n  - wait: 1h\n  - ▲${SEND}\n  - ${PUT}`, top: `finally:\n  - ${SEND}` }),
      'this step is not sent if the item is gone before the wait above ends',
    ],
    [
      'warning unused-after-end',
      list({ steps: SEND.replace('do: ', '▲afterEnd: true, do: ') }),
      'afterEnd has no effect: only steps of then that create something behind a wait end with the episode',
    ],
    [
      'error creates-in-while',
      list({ top: `while:\n  - ${SEND.replace('do: ', 'do: ▲')}` }),
      'discord.send would create something at every poll',
    ],
    [
      'error every-outside-while',
      list({ steps: SEND.replace('do: ', '▲every: 4h, do: ') }),
      'every is only for steps of while, and this step is in then',
    ],
    [
      'error every-outside-while',
      list({ top: `finally:\n  - ${SEND.replace('do: ', '▲every: 4h, do: ')}` }),
      'every is only for steps of while, and this step is in finally',
    ],
    ['error wrong-value', list({ top: `while:\n  - ${SEND.replace('do: ', 'every: ▲59s, do: ')}` }), 'every of a step is at least 1m'],
    [
      'error wrong-value',
      list({ top: `while:\n  - ${SEND.replace('do: ', 'every: ▲4 hours, do: ')}` }),
      'not a duration: write it as 90s, 1h30m or 7d',
    ],
    ['error unknown-key', list({ top: `while:\n  - ${SEND.replace('do: ', '▲evry: 4h, do: ')}` }), 'unknown key: evry'],
    ['error wait-with-keys', list({ top: `while:\n  - { wait: 1m, ▲every: 4h }\n  - ${PUT}` }), 'a step with wait cannot have every'],
    [
      'warning every-below-poll',
      list({ top: `while:\n  - ${PUT.replace('do: ', '▲every: 1m, do: ')}` }).replace('every: 1m, watch', 'every: 5m, watch'),
      'the rule polls every 5m, so this step runs at each poll',
    ],
    [
      'warning frequent-messages',
      list({ when: ', missed: once', top: `while:\n  - ${SEND.replace('do: ', '▲every: 1m, do: ')}` }).replace(
        'every: 1m, watch',
        'every: 5m, watch',
      ),
      'discord.send creates something new every 5m while the item stays',
    ],
    [
      'warning frequent-messages',
      list({ top: `while:\n  - ${SEND.replace('do: ', '▲every: 9m, do: ')}` }),
      'discord.send creates something new every 9m while the item stays',
    ],
    [
      'warning billed-at-each-poll',
      list({
        top: `while:\n  - { id: a, do: assistant.ask, ▲with: { text: "\${{ item.title }}: \${{ string(item.viewerCount) }}" } }\n  - ${PUT}`,
      }),
      'the question contains a value that changes all the time, so the assistant is asked again about every 1m, and each answer costs money',
    ],
    [
      'error reads-repeated-step',
      list({
        top: `while:\n  - { id: a, every: 4h, do: discord.send, with: { channel: x, content: hi } }\n  - { do: discord.edit, with: { message: "\${{ ▲steps.a.id }}", content: hi } }`,
      }),
      'the step a runs only each 4h, so it has no result at other polls',
    ],
    [
      'error reads-itself',
      list({ steps: '{ id: a, do: discord.send, with: { channel: x, content: "${{ ▲steps.a.id }}" } }' }),
      'a step cannot read its own result',
    ],
    [
      'warning bare-braces',
      slot({ steps: '{ do: discord.send, with: { channel: live, content: "▲{{ x }}" } }' }),
      '{{ x }} is sent as text, not evaluated',
    ],
    [
      'error untrusted-path',
      list({ steps: '{ do: social.createPost, with: { text: hi, files: [{ path: "card-${{ ▲item.title }}.png", altText: hi }] } }' }),
      'the path of a file cannot come from a platform',
    ],
    [
      'error several-accounts',
      slot({ steps: '▲{ do: social.createPost, with: { text: hi } }' }),
      'several accounts support social.createPost: bluesky and mastodon',
      { social: { all: ['bluesky', 'mastodon'], defaults: [] } },
    ],
    ['error no-account', slot({ steps: '▲{ do: social.createPost, with: { text: hi } }' }), 'no account supports social.createPost', {}],
    [
      'error reads-later-step',
      list({ steps: `{ do: discord.edit, with: { message: "\${{ ▲steps.a.id }}", content: hi } }\n  - ${SEND.replace('{', '{ id: a,')}` }),
      'the step a runs later than this one',
    ],
    [
      'error empty-own',
      slot({
        steps: `${SEND.replace('{', '{ id: a,')}\n  - { do: social.createPost, as: bluesky, with: { text: "\${{ ▲steps.a.own.url }}" } }`,
      }),
      'steps.a.own is empty for bluesky: the step a runs on discord',
    ],
    [
      'warning edited-twice',
      slot({ steps: `${PUT}\n  - ${PUT.replace('name: ', 'name: ▲')}` }),
      'a step above also edits this message: only the last edit stays',
    ],
    [
      'warning edited-by-each',
      slot({ top: 'each: { on: [a, b] }', steps: PUT.replace('name: ', 'name: ▲').replace('hi', '"${{ each.on }}"') }),
      'every rule of each edits this message: only the last edit stays',
    ],
    [
      'warning long-text',
      list({ steps: `{ do: discord.send, with: { channel: live, content: ▲"${'x'.repeat(1_995)} \${{ item.title }}" } }` }),
      'the text has 1996 characters without its expressions, but the parameter accepts 2000: Fanfare shortens the text',
    ],
    [
      'warning long-field',
      videos(''),
      'item.description can be longer than the 2000 characters that the parameter accepts: Fanfare shortens the text',
    ],
    [
      'warning long-field',
      videos('fit: error, '),
      'item.description can be longer than the 2000 characters that the parameter accepts: the step fails',
    ],
    [
      'error wrong-type',
      list({ steps: '{ do: discord.send, with: { channel: live, content: "a ${{ ▲item.tags }}" } }' }),
      'a list of texts cannot be inserted into text',
    ],
    [
      'error wrong-type',
      list({ steps: '{ do: streaming.getSchedule, with: { user: ada, days: "a ${{ ▲5 }}" } }' }),
      'expected a whole number, found text',
    ],
    [
      'error wrong-value',
      slot({ steps: SEND.replace('{', '{ id: ▲1st,') }),
      'the id of a step has letters, digits and _, and starts with a letter',
    ],
    ['error wrong-value', slot({ steps: SEND.replace('{', '{ id: ▲"in",') }), 'this name is reserved: choose another id'],
  ])('%s has its message: %#', (code, marked, message, accounts) => {
    expect(messagesOf(marked, accounts)).toEqual([`▲ ${code}: ${message}`]);
  });
});

test.each([SEND.replace('do: ', 'every: 10m, do: '), SEND.replace('do: ', 'every: 1m, if: item.rank == 1, do: ')])(
  'a message of while that is rare has no warning: %s',
  (step) => {
    expect(messagesOf(list({ top: `while:\n  - ${step}` }))).toEqual([]);
  },
);

test.each(['item.title', 'item.game.name', "'viewerCount'"])(
  'a question with %s, which stays the same for some time, gets no warning',
  (value) => {
    const source = list({ top: `while:\n  - { id: a, do: assistant.ask, with: { text: "About \${{ ${value} }}" } }\n  - ${PUT}` });

    expect(messagesOf(source)).not.toContainEqual(expect.stringContaining('each answer costs money'));
  },
);
