import { describe, expect, test } from 'vitest';
import { FANFARE_COMMANDS } from '#src/rules/grammar/command-file.ts';
import { check } from '../../support/rule-language.ts';

const ANSWER = '{ do: discord.answer, with: { content: hi } }';

function command({ when = 'command: hello', top = 'about: Says hello', steps = ANSWER } = {}): string {
  return `id: r\n${top}\nwhen: { ${when} }\nthen:\n  - ${steps}\n`;
}

const codesOf = (source: string): readonly string[] => check(source).diagnostics.map(({ code }) => code);

describe('a rule that answers a command', () => {
  test('has the command with required options first, and runs at no schedule', () => {
    const options =
      'options: { day: { type: choice, about: D, choices: [mon, fri] }, streamer: { type: string, about: S, required: true } }';
    const { rules, diagnostics } = check(command({ when: `command: hello, ${options}, roles: [Mods], public: true` }));

    expect(diagnostics).toEqual([]);
    expect(rules[0]).toMatchObject({
      schedule: { command: 'hello' },
      mode: 'parallel',
      command: {
        name: 'hello',
        about: 'Says hello',
        options: [
          { name: 'streamer', type: 'string', required: true },
          { name: 'day', choices: ['mon', 'fri'] },
        ],
        roles: ['Mods'],
        isPublic: true,
        accounts: ['discord'],
      },
      then: [{ do: 'discord.answer', with: { command: '${{ command.id }}', content: 'hi' }, maxAgeMs: 840_000 }],
    });
  });

  test('needs no answer for a failed look-up, because the member sees it', () => {
    const steps =
      '{ id: found, do: streaming.getUserVideos, with: { user: ada } }\n  - {do: discord.answer, with: {content: "Videos: ${{ found }}"}}';

    expect(codesOf(command({ steps: steps.replace('found }}', 'steps.found.items.size() }}') }))).toEqual([]);
  });

  test.for([
    ['a name with a capital letter', { when: 'command: Hello' }, 'command-name'],
    ['a name with a space', { when: 'command: say hello' }, 'command-name'],
    ['a name of 33 characters', { when: `command: ${'a'.repeat(33)}` }, 'command-name'],
    ['a command of Fanfare', { when: 'command: live' }, 'command-of-fanfare'],
    ['a German command of Fanfare', { when: 'command: hilfe' }, 'command-of-fanfare'],
    ['no description', { top: '' }, 'command-without-about'],
    ['a long description', { top: `about: ${'a'.repeat(101)}` }, 'command-about'],
    ['a schedule', { when: 'command: hello, every: 5m' }, 'key-with-command'],
    ['a watched list', { when: 'command: hello, watch: streaming.getStreams' }, 'key-with-command'],
    ['a mode', { top: 'about: Says hello\nmode: single' }, 'key-with-command'],
    ['quiet hours', { top: 'about: Says hello\nquiet: { from: "23:00", to: "08:00", then: hold }' }, 'key-with-command'],
    ['an option with a wrong name', { when: 'command: hello, options: { A B: { type: string, about: x } }' }, 'command-name'],
    ['a choice without choices', { when: 'command: hello, options: { a: { type: choice, about: x } }' }, 'option-choices'],
    ['choices of a number', { when: 'command: hello, options: { a: { type: integer, about: x, choices: [b] } }' }, 'option-choices'],
    ['a repeated choice', { when: 'command: hello, options: { a: { type: choice, about: x, choices: [b, b] } }' }, 'option-choices'],
    [
      '26 options',
      { when: `command: hello, options: { ${Array.from({ length: 26 }, (_, i) => `a${i}: { type: string, about: x }`).join(', ')} }` },
      'many-options',
    ],
    ['a message', { steps: '{ do: discord.send, with: { channel: live, content: hi } }\n  - ' + ANSWER }, 'write-in-command'],
    ['a wait', { steps: '{ wait: 1m }\n  - ' + ANSWER }, 'wait-in-command'],
    ['no answer', { steps: '{ id: u, do: streaming.getUser, with: { user: ada } }' }, 'command-without-answer'],
    ['an answer for each element', { steps: '{ do: discord.answer, forEach: "[1, 2]", with: { content: hi } }' }, 'answers-for-each'],
    [
      'an unknown option in an expression',
      { steps: '{ do: discord.answer, with: { content: "${{ command.options.day }}" } }' },
      'expression',
    ],
  ] as const)('is refused with %s', ([, parts, code]) => {
    expect(codesOf(command(parts))).toContain(code);
  });

  test.for([
    ['string', 'command.options.place', ['typed-channel']],
    ['string', 'command.options["place"]', ['typed-channel']],
    ['channel', 'command.options.place.id', []],
    ['string', 'command.channel.id', []],
  ] as const)('is warned of a channel that members type, so that no one reads a hidden one: %s, %s', ([type, channel, codes]) => {
    const steps = `{ id: recent, do: discord.getMessages, with: { channel: '\${{ ${channel} }}' } }\n  - ${ANSWER}`;

    expect(codesOf(command({ when: `command: hello, options: { place: { type: ${type}, about: x } }`, steps }))).toEqual(codes);
  });

  test.for([
    ['options: { a: { type: string, about: x } }', 'key-without-command'],
    ['roles: [Mods]', 'key-without-command'],
    ['public: true', 'key-without-command'],
  ])('%s needs a command', ([key, code]) => {
    expect(codesOf(`id: r\nwhen: { every: 5m, ${key} }\nthen: [{ do: discord.send, with: { channel: a, content: hi } }]\n`)).toEqual([
      code,
    ]);
  });

  test('an answer needs a command', () => {
    expect(codesOf(`id: r\nwhen: { every: 5m }\nthen: [${ANSWER}]\n`)).toEqual(['answer-without-command']);
  });

  test('names of Fanfare are lower-case, and each is there once', () => {
    expect(FANFARE_COMMANDS.filter((name, index) => name !== name.toLowerCase() || FANFARE_COMMANDS.indexOf(name) < index)).toEqual([]);
  });
});
