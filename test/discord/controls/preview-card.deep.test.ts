import { describe, expect, test } from 'vitest';
import type { PreviewView, MessagePreview, ScenarioView, StepView } from '#src/engine/simulation/preview/preview-view.ts';
import { previewCard } from '#src/discord/controls/preview-card.ts';
import { de } from '#src/discord/language/de/index.ts';
import { en } from '#src/discord/language/en/index.ts';
import { cardRule } from '../../rules/evaluate/fixture.ts';
import { rulesOf } from '../../support/rule-language.ts';
import { englishIn } from '../../support/reasons.ts';

const reader = { texts: en, locale: 'en-GB' };
const rule = cardRule();

function messagePreview(over: Partial<MessagePreview> = {}): MessagePreview {
  return { isMarkdown: true, embeds: [], buttons: [], others: [], lengths: [], target: { kind: 'channel', channel: 'live' }, ...over };
}

function step(over: Partial<StepView> = {}): StepView {
  const position = { id: 'card', section: 'then', number: 1 } as const;
  return {
    name: 'card',
    position,
    do: 'discord.send',
    account: 'discord',
    reads: false,
    remarks: [],
    messages: [messagePreview()],
    ...over,
  };
}

function shown(scenarios: readonly ScenarioView[], { read }: Pick<PreviewView, 'read'> = {}, texts = en): ReturnType<typeof previewCard> {
  return previewCard({ rule, scenarios, read }, { ...reader, texts });
}

describe('a preview', () => {
  test('says which data it invented, and that it ignores the condition of the rule', () => {
    const [webhook] = rulesOf(`id: donations
when: { webhook: donations, fields: { amount: number } }
if: item.amount > 5
then: [{ do: discord.send, with: { channel: live, content: hi } }]`);
    if (!webhook) throw new Error('there is no rule');

    const { embeds = [] } = previewCard({ rule: webhook, scenarios: [{ kind: 'received', steps: [step()] }] }, reader);

    expect(embeds[0]?.description).toBe('The preview uses an example payload. It ignores `if` of the rule.');
  });

  test('shows each message, and its length if it is nearly too long', () => {
    const text = '**Ada** is live: *Chess* \\*\\*no bold\\*\\*\nsecond line';
    const lengths = [
      { path: 'content', length: 40, most: 2_000 },
      { path: 'embed.title', length: 250, most: 256 },
    ];
    const embed = { title: 'Chess', url: 'https://example.org/ada', image: 'https://example.org/ada.png', footer: '5K watching' };

    const { embeds = [] } = shown([
      {
        kind: 'goesLive',
        name: 'Ada_x',
        steps: [step({ messages: [messagePreview({ text, lengths, embeds: [embed], pings: ['Live'] })] })],
      },
    ]);

    expect(embeds[1]).toEqual({
      title: 'Ada\\_x goes live',
      color: 0x58_65_f2,
      description: [
        '**card** → #live · `discord.send` through discord',
        '> **Ada** is live: *Chess* \\*\\*no bold\\*\\*',
        '> second line',
        '> **[Chess](https://example.org/ada)**',
        '> 5K watching',
        '> [🖼️ picture](https://example.org/ada.png)',
        '-# embed\\.title: 250 of 256 characters · pings Live',
      ].join('\n'),
      image: { url: 'https://example.org/ada.png' },
    });
  });

  test('shows the exact text of a post with its length', () => {
    const post = messagePreview({
      isMarkdown: false,
      target: undefined,
      text: '*hi* @ada',
      lengths: [{ path: 'text', length: 9, most: 300 }],
      pings: ['@ada'],
    });

    const { embeds = [] } = shown([{ kind: 'time', steps: [step({ do: 'social.createPost', account: 'x', messages: [post] })] }]);

    expect(embeds[1]?.title).toBe('At the scheduled time');
    expect(embeds[1]?.description).toContain('> \\*hi\\* ');
    expect(embeds[1]?.description).toContain('9 of 300 characters');
  });

  test('names the parts of the poll that were not read, in the language of the reader', () => {
    const parts = [{ account: 'twitch', names: { count: 1, names: ['ada_tv'] }, failure: 'rejected: no', fault: 'rejected' }] as const;
    const partlyFailed = { message: 'not read: ada_tv', reason: { kind: 'pollPartlyFailed', count: 1, parts } } as const;
    const read = { partlyFailed, count: 2, counted: 1, isSample: false, excluded: [] };

    const lineOf = (texts: typeof en): string | undefined => shown([], { read }, texts).embeds?.[0]?.description?.split('\n')[1];

    expect(lineOf(en)).toBe('⚠️ not read\\: ada\\_tv');
    expect(lineOf(de)).toBe('⚠️ nicht gelesen\\: ada\\_tv über twitch\\: dort abgelehnt \\(„no“\\)');
  });

  test('shows the problems of a step above its long messages, and notes that it is cut', () => {
    const long = messagePreview({ text: 'x'.repeat(850), lengths: [] });
    const remarks = [{ kind: 'target', error: 'no channel live' }] as const;

    const { embeds = [] } = shown([
      { kind: 'goesLive', name: 'Ada', steps: [step({ messages: Array.from({ length: 10 }, () => long), remarks })] },
    ]);

    expect(embeds[0]?.description).toContain('fanfare preview');
    expect(embeds[1]?.description).toMatch(/^[^>]*no channel live\n> x{850}/u);
  });

  test('fits into a message, and notes that it is cut', () => {
    const long = 'x'.repeat(4_000);
    const embed = {
      title: long,
      description: `${long}\n${long}`,
      fields: Array.from({ length: 25 }, () => ({ name: long, value: long })),
      footer: long,
    };
    const messages = Array.from({ length: 10 }, () =>
      messagePreview({ text: `${long}\n${long}`, embeds: [embed], pings: [long], others: [['a', long]] }),
    );
    const because = { message: long };
    const scenarios = Array.from({ length: 20 }, (): ScenarioView => ({
      kind: 'enters',
      name: long,
      suppression: because,
      steps: [step({ messages }), step({ notRun: { kind: 'failed', ...because }, remarks: [{ kind: 'target', error: long }] })],
    }));
    const read = { count: 1, counted: 1, isSample: true, excluded: Array.from({ length: 3 }, () => ({ name: long, ...because })) };

    for (const texts of [en, de]) {
      const { embeds = [] } = shown(scenarios, { read }, texts);
      const lengths = embeds.map(
        ({ title = '', description = '', footer }) => title.length + description.length + (footer?.text.length ?? 0),
      );

      expect(embeds.length).toBeGreaterThan(1);
      expect(embeds.length).toBeLessThanOrEqual(10);
      expect(lengths.reduce((sum, length) => sum + length, 0)).toBeLessThanOrEqual(6_000);
      for (const { title = '', description = '' } of embeds) {
        expect(title.length).toBeLessThanOrEqual(256);
        expect(description.length).toBeLessThanOrEqual(4_096);
      }
      expect(embeds[0]?.description).toContain('fanfare preview');
    }
  });

  test.each([
    'goesLive',
    'enters',
    'isNew',
    'comes',
    'isThere',
    'leaves',
    'moves',
    'changes',
    'rises',
    'falls',
    'slot',
    'time',
    'used',
    'received',
    'stays',
    'ends',
    'quietEnds',
  ] as const)('has German words for a scene in which it %s, and for all that may be said of its steps', (kind) => {
    const notRun = { kind: 'skipped', message: 'unchanged', reason: { kind: 'sameText' } } as const;
    const remarks = [
      { kind: 'cut', detail: 'the text has 400 characters, and the limit is 300' },
      { kind: 'cutWarning', detail: 'the content warning has 300 characters, and the limit is 250' },
      { kind: 'target', error: '403' },
    ] as const;
    const unnamed = { section: 'while', number: 2 } as const;
    const lengths = [{ path: 'embed.title', length: 256, most: 256 }];
    const message = { kind: 'message', message: '1/2' } as const;
    const steps = [
      step({ notRun, messages: [] }),
      step({
        remarks,
        reads: true,
        after: { ms: 600_000, text: '10m' },
        position: unnamed,
        messages: [messagePreview({ target: message, lengths, pings: ['Live'] })],
      }),
    ];
    const suppressions = [
      { message: 'no item has rank above 5 now', reason: { kind: 'notAbove', field: 'rank', line: 5 } },
      { message: 'no item has rank below 5 now', reason: { kind: 'notBelow', field: 'rank', line: 5 } },
    ] as const;
    const scenarios = [
      { kind, steps },
      { kind, name: 'Ada', steps },
      ...suppressions.map((suppression) => ({ kind, suppression, steps: [] })),
    ];
    const read = { count: 2, counted: 1, isSample: true, excluded: [] };

    const { embeds = [] } = shown(scenarios, { read }, de);
    const text = embeds.map(({ title = '', description = '', footer }) => [title, description, footer?.text ?? ''].join('\n')).join('\n');

    expect(embeds).toHaveLength(5);
    expect(englishIn(text.replaceAll(/\\(.)/gu, '$1'))).toBeUndefined();
    expect(text).not.toMatch(/undefined|\[object/u);
  });
});
