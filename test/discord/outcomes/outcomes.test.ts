import { describe, expect, test } from 'vitest';
import { en } from '#src/discord/language/en/index.ts';
import { type Group, GROUPS, type Outcome, SITUATIONS } from '../../../docs/generator/discord-outcomes/outcomes.ts';
import { rowsOf } from '../../../docs/generator/discord-outcomes/outcomes-page.ts';
import { USES } from './all-uses.ts';
import { registeredUses } from './registered.ts';

const groups = Object.keys(GROUPS) as Group[]; // the keys of the table
const rows = groups.flatMap(rowsOf);

describe('the table of outcomes', () => {
  test('has every command, button, menu and form of the program in every situation', () => {
    expect(rows.map(({ use }) => use).toSorted()).toEqual(registeredUses().toSorted());
    expect(groups.flatMap((group) => USES[group].map(({ use }) => use))).toEqual(rows.map(({ use }) => use));
    for (const { use, outcomes } of rows)
      expect([use, Object.keys(outcomes).toSorted()]).toEqual([use, Object.keys(SITUATIONS).toSorted()]);
  });

  /** Each outcome with the name of its row and situation. */
  const all = rows.flatMap(({ use, outcomes }) =>
    Object.entries(outcomes).flatMap(([situation, one]) => ('cannot' in one ? [] : [{ of: `${use}, ${situation}`, situation, ...one }])),
  );
  const of = (wanted: (outcome: Outcome & { readonly situation: string }) => boolean): readonly string[] =>
    all.filter(wanted).map((one) => one.of);

  test('has an answer for everything, and no defect', () => {
    expect(of(({ en: text, shown }) => text === '' || shown === 'nothing')).toEqual([]);
    const [sentence = ''] = en.errors.ours.split('. ');
    expect(of(({ en: text }) => text.startsWith(sentence))).toEqual([]);
  });

  test('has no effect of people without the permission', () => {
    const [member = ''] = /^.*?\./u.exec(en.errors.notAllowed) ?? [];
    expect(of(({ situation, en: text, effect }) => (situation === 'stranger' || text === member) && effect.length > 0)).toEqual([]);
    // The buttons of rules name what they need.
    expect(
      of(({ situation, en: text }) => situation === 'stranger' && text !== member).filter((one) => !/^(?:answer|press)/u.test(one)),
    ).toEqual([]);
  });

  test('has a German text for each English one', () => {
    const isEnglish = ({ en: english, de: german }: Outcome): boolean =>
      english === german && !english.startsWith('(') && /[a-z] [a-z]+ [a-z]/u.test(english);
    expect(of(isEnglish)).toEqual([]);
  });
});
