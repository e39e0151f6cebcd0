import { z } from 'zod';
import { code, page, paragraphs, readExamples, table } from '../markdown.ts';
import { type Group, GROUPS, type Outcome, Row, SHOWN, SITUATIONS, type Situation } from './outcomes.ts';

const INTRODUCTION = `This page lists what each command, button, menu and form of the bot answers in each situation, and what it changes. A test
uses all of them on the simulated Discord, in English and in German, and compares the answers, their visibility and the changed data with this table.

A name with a colon is a button, a menu or a form: the beginning of its custom id. *Answer* is the first sentence, with the heading above it. *Effect* names the
actions in the audit log, other changed data, and *message* for a message that everyone sees.`;

/** The rows of a group. */
export function rowsOf(group: Group): readonly Row[] {
  return readExamples(new URL(`./${group}.yaml`, import.meta.url), z.array(Row));
}

/** The table of all outcomes in Discord. */
export function outcomesPage(): string {
  const groups = Object.entries(GROUPS) as readonly (readonly [Group, string])[]; // the entries of the table
  return page(
    { title: 'Outcomes in Discord', order: 61 },
    INTRODUCTION,
    '## Situations',
    table(['name', 'meaning'], Object.entries(SITUATIONS)),
    '## Visibility',
    table(['name', 'meaning'], Object.entries(SHOWN)),
    ...groups.map(([group, title]) => section(title, rowsOf(group))),
  );
}

interface Shared {
  readonly uses: readonly string[];
  readonly situations: readonly string[];
  readonly outcome: Outcome;
}

function section(title: string, rows: readonly Row[]): string {
  return paragraphs(
    `## ${title}`,
    table(
      ['used', 'situation', 'answer', 'answer in German', 'visibility', 'effect'],
      sharedIn(rows).map(({ uses, situations, outcome: { en, de, shown, effect } }) => [
        uses.map(code).join(', '),
        situations.join(', '),
        plain(en),
        plain(de),
        shown,
        effect.join(', '),
      ]),
    ),
    'Situations that cannot occur:',
    impossibleIn(rows)
      .map(({ uses, situations, reason }) => `- ${situations.join(', ')}: ${reason} (${uses.map(code).join(', ')})`)
      .join('\n'),
  );
}

/** Uses with the same outcome in the same situations share a row. */
function sharedIn(rows: readonly Row[]): readonly Shared[] {
  const outcomes = rows.flatMap(({ use, outcomes: all }) => {
    const found = entriesOf(all).flatMap(([situation, one]) => ('cannot' in one ? [] : [{ situation, outcome: one }]));
    const same = Map.groupBy(found, ({ outcome }) => JSON.stringify(outcome));
    return [...same.values()].flatMap((group) => {
      const [first] = group;
      return first ? [{ use, situations: group.map(({ situation }) => situation), outcome: first.outcome }] : [];
    });
  });
  const shared = Map.groupBy(outcomes, ({ situations, outcome }) => JSON.stringify([situations, outcome]));
  return [...shared.values()].flatMap((group) => {
    const [first] = group;
    return first ? [{ uses: group.map(({ use }) => use), situations: first.situations, outcome: first.outcome }] : [];
  });
}

function impossibleIn(rows: readonly Row[]) {
  const all = rows.flatMap(({ use, outcomes }) =>
    entriesOf(outcomes).flatMap(([situation, one]) => ('cannot' in one ? [{ use, situation, reason: one.cannot }] : [])),
  );
  const groups = Map.groupBy(all, ({ situation, reason }) => `${situation} ${reason}`);
  return [...groups.values()].map((group) => ({
    uses: group.map(({ use }) => use),
    situations: [...new Set(group.map(({ situation }) => situation))],
    reason: group[0]?.reason ?? '',
  }));
}

function entriesOf(outcomes: Row['outcomes']) {
  return (Object.keys(SITUATIONS) as Situation[]).map((situation) => [situation, outcomes[situation]] as const); // the keys of the table
}

/** Text of Discord, without its Markdown. */
function plain(text: string): string {
  return text.replaceAll('\\', '').replaceAll(/[<>*]/gu, (sign) => `\\${sign}`);
}
