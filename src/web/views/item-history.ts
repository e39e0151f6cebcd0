import type { Decision, Delivery, ItemExplanation } from '../client/records.ts';
import { OUTCOME_TONES, STATE_TONES } from '../page/inline/tones.ts';
import type { BadgeProps } from './parts/badge.ts';
import type { Language } from './language.ts';
import { reasonsIn } from './reasons.ts';
import { OUTCOME_TEXTS } from './texts/outcomes.ts';
import { stateText } from './texts/states.ts';
import { WHY_TEXTS } from './texts/why.ts';

/** A rule that is gone, with its history of an item. */
type GoneRule = ItemExplanation['gone'][number];

/** What one rule did with an item at one time. */
export interface Entry extends BadgeProps {
  /** Unique in the history of a rule. */
  readonly key: string;
  /** ISO 8601 in UTC. */
  readonly at: string;
  readonly text: string;
  /** The language of the text, if it is not the language of the page. */
  readonly lang?: 'en' | undefined;
  /** The address of what was sent. */
  readonly url?: string | undefined;
  /** The number of equal entries, of which this is the newest. */
  readonly times: number;
}

/** The history of an item in one rule, newest first. Consecutive equal entries are one entry. */
export function historyOf(
  { id, episodes, decisions }: Pick<GoneRule, 'id' | 'episodes' | 'decisions'>,
  deliveries: readonly Delivery[],
  language: Language,
): readonly Entry[] {
  const { began, beganTitle, edited } = WHY_TEXTS[language];
  const closed = new Set(decisions.flatMap(({ outcome, episode }) => (outcome === 'closed' && episode !== undefined ? [episode] : [])));
  const entries = [
    ...episodes.map(({ id: episode, startedAt, name }) => ({
      key: `began ${episode}`,
      at: startedAt,
      word: began,
      tone: 'calm' as const,
      title: beganTitle,
      text: name,
    })),
    ...episodes.flatMap(({ id: episode, closedAt, name }) =>
      closedAt === undefined || closed.has(episode)
        ? []
        : [{ key: `closed ${episode}`, at: closedAt, tone: OUTCOME_TONES.closed, ...OUTCOME_TEXTS[language].closed, text: name }],
    ),
    ...decisions.map((decision, index) => entryOfDecision(decision, index, language)),
    ...entriesOfDeliveries(
      deliveries.filter(({ rule }) => rule === id),
      language,
    ),
  ];
  return folded(
    entries.toSorted((a, b) => Date.parse(b.at) - Date.parse(a.at)),
    edited,
  );
}

function entryOfDecision(decision: Decision, index: number, language: Language): Omit<Entry, 'times'> {
  const { at, outcome } = decision;
  const message = reasonsIn(language).decided(decision);
  return { key: `decision ${index}`, at, tone: OUTCOME_TONES[outcome], ...OUTCOME_TEXTS[language][outcome], ...message };
}

function entriesOfDeliveries(deliveries: readonly Delivery[], language: Language): readonly Omit<Entry, 'times'>[] {
  const announced = new Set<string>();
  const oldestFirst = deliveries.toSorted((a, b) => Date.parse(a.createdAt) - Date.parse(b.createdAt));
  return oldestFirst.map((delivery) => {
    const { id, do: verb, account, text, state, createdAt, sentAt, result, episode, step } = delivery;
    const target = `${episode} ${step} ${account}`;
    const isRepeated = announced.has(target);
    if (state === 'sent') announced.add(target);
    const message = reasonsIn(language).delivered(delivery);
    const what = [
      WHY_TEXTS[language].through(verb, account),
      text === undefined ? '' : WHY_TEXTS[language].quoted(text),
      message?.text ?? '',
    ].filter((part) => part !== '');
    const url = typeof result?.['url'] === 'string' ? result['url'] : undefined;
    return { key: id, at: sentAt ?? createdAt, ...wordOf(delivery, isRepeated, language), text: what.join(': '), url };
  });
}

/** The verbs name what happens: `editPost`, `discord.edit`, `deletePost`. A step that is sent repeatedly in one episode keeps a card current. */
function wordOf(delivery: Delivery, isRepeated: boolean, language: Language): BadgeProps {
  const { do: verb, state, isRead = false } = delivery;
  const { announced, edited, editedTitle, removed, removedTitle } = WHY_TEXTS[language];
  const stated = { tone: STATE_TONES[state], ...stateText(delivery, language) };
  if (state !== 'sent') return stated;
  if (isRead) return { ...stated, tone: 'calm' };
  if (/\.delete/u.test(verb)) return { tone: 'calm', word: removed, title: removedTitle };
  return isRepeated || /\.edit/u.test(verb) ? { tone: 'calm', word: edited, title: editedTitle } : { ...stated, word: announced };
}

function folded(newestFirst: readonly Omit<Entry, 'times'>[], edited: string): readonly Entry[] {
  const entries: Entry[] = [];
  for (const entry of newestFirst) {
    const last = entries.at(-1);
    const isEqual = last?.word === entry.word && (entry.word === edited ? last.url === entry.url : last.text === entry.text);
    if (last && isEqual) entries.splice(-1, 1, { ...last, times: last.times + 1 });
    else entries.push({ ...entry, times: 1 });
  }
  return entries;
}
