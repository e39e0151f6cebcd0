import { exactDuration, parseDuration } from '#src/clients/operation/duration.ts';
import type { ScaffoldAnswers } from './answers.ts';
import { graceMs } from './draft-rule.ts';

/** The poll at which a card is edited for the first time. */
const EDITED_AT = 5;

/** The tests of a new rule. They pass without changes. */
export function draftTest(answers: ScaffoldAnswers): string {
  const everyMs = parseDuration(answers.every) ?? 0;
  const at: At = (polls) => exactDuration(polls * everyMs);
  const cases = answers.kind === 'live' ? liveCases(answers, { at, everyMs }) : newsCases(answers, at);
  return [`rule: ${answers.id}`, 'start: 2026-11-20T18:00:00Z', 'cases:', ...cases, ''].join('\n');
}

/** The time of a poll by its number. */
type At = (polls: number) => string;

/** Cases with a known item and a new one. */
function newsCases(answers: ScaffoldAnswers, at: At): readonly string[] {
  const { kind, least } = answers;
  const count = { top: 'viewerCount', live: 'viewerCount', clips: 'viewCount', posts: undefined }[kind];
  const item = (key: string, value: number): string => (count === undefined ? `{ key: ${key} }` : `{ key: ${key}, ${count}: ${value} }`);
  const enough = Math.max(least, 100);
  const old = item('ada', enough + 900);
  const both = `${old}, ${item('grace', enough)}`;
  // An item has to stay in a top list for two polls.
  const announced = at(kind === 'top' ? 3 : 1);
  return [
    '  - it: announces nothing at the first poll, and new items after it',
    '    polls:',
    `      - { at: 0s, items: [${old}] }`,
    `      - { at: ${at(1)}, items: [${both}] }`,
    `      - { at: ${at(2)}, items: [${both}] }`,
    `      - { at: ${at(3)}, items: [${both}] }`,
    '    expect:',
    ...expectations(answers, announced, 'grace'),
    ...(kind === 'posts' ? ownPostsCase(answers, at) : []),
    ...(least > 0 && count !== undefined
      ? [
          '',
          `  - it: announces nothing below ${least}`,
          '    polls:',
          `      - { at: 0s, items: [${old}] }`,
          `      - { at: ${at(1)}, items: [${old}, ${item('grace', least - 1)}] }`,
          `      - { at: ${at(2)}, items: [${old}, ${item('grace', least - 1)}] }`,
          `      - { at: ${at(3)}, items: [${old}, ${item('grace', least - 1)}] }`,
          '    expect: []',
        ]
      : []),
  ];
}

function ownPostsCase({ targets }: ScaffoldAnswers, at: At): readonly string[] {
  const own = targets.post ? ', { key: c, author: { self: true } }' : '';
  return [
    '',
    `  - it: announces no reposts${targets.post ? ', and nothing that the account posts itself' : ''}`,
    '    polls:',
    '      - { at: 0s, items: [] }',
    `      - { at: ${at(1)}, items: [{ key: b, repostOf: a }${own}] }`,
    '    expect: []',
  ];
}

function liveCases(answers: ScaffoldAnswers, { at, everyMs }: { readonly at: At; readonly everyMs: number }): readonly string[] {
  const { least, targets } = answers;
  const ada = `{ key: ada, title: Ranked until I win, viewerCount: ${Math.max(least, 1200)} }`;
  const gone = EDITED_AT + 1;
  const over = gone + Math.ceil(graceMs(answers) / everyMs);
  const polls = Array.from({ length: EDITED_AT }, (_, poll) => `      - { at: ${at(poll + 1)}, items: [${ada}] }`);
  const edits = [
    `      - { at: ${at(EDITED_AT)}, do: discord.edit, with: { embed: { footer: "/watching$/" } } }`,
    `      - { at: ${at(over)}, do: discord.edit, with: { embed: { footer: "/^was live for .*, peak /" } } }`,
  ];
  return [
    '  - it: announces a new stream, and closes its card after the grace period',
    '    polls:',
    '      - { at: 0s, items: [] }',
    ...polls,
    ...[gone, gone + 1, over].map((poll) => `      - { at: ${at(poll)}, items: [] }`),
    '    expect:',
    ...expectations(answers, at(1), 'ada'),
    ...(targets.channel === undefined ? [] : edits),
  ];
}

function expectations({ targets }: ScaffoldAnswers, at: string, who: string): readonly string[] {
  const post = targets.post ? [`      - { at: ${at}, do: social.createPost, with: { text: "/${who}/" } }`] : [];
  return targets.channel === undefined ? post : [...post, `      - { at: ${at}, do: discord.send, with: { content: "/${who}/" } }`];
}
