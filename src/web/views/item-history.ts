import type { Decision, Delivery, ItemExplanation } from '../client/records.ts';
import { OUTCOMES, STATES, type Toned } from '../page/inline/tones.ts';

/** A rule that is gone, with its history of an item. */
type GoneRule = ItemExplanation['gone'][number];

/** What one rule did with an item at one time. */
export interface Entry extends Toned {
  /** Unique in the history of a rule. */
  readonly key: string;
  /** ISO 8601 in UTC. */
  readonly at: string;
  /** For example `suppressed`, `announced` or `edited`. */
  readonly word: string;
  readonly text: string;
  /** The address of what was sent. */
  readonly url?: string | undefined;
  /** The number of equal entries, of which this is the newest. */
  readonly times: number;
}

const EDITED: Toned = { tone: 'calm', title: 'Fanfare changed what it had sent.' };
const DELETED: Toned = { tone: 'calm', title: 'Fanfare deleted what it had sent.' };
const BEGAN: Toned = { tone: 'calm', title: 'The time of the item in the list of the rule began, for example with its stream.' };

/** The history of an item in one rule, newest first. Consecutive equal entries are one entry. */
export function historyOf(
  { id, episodes, decisions }: Pick<GoneRule, 'id' | 'episodes' | 'decisions'>,
  deliveries: readonly Delivery[],
): readonly Entry[] {
  const closed = new Set(decisions.flatMap(({ outcome, episode }) => (outcome === 'closed' && episode !== undefined ? [episode] : [])));
  const entries = [
    ...episodes.map(({ id: episode, startedAt, name }) => ({
      key: `began ${episode}`,
      at: startedAt,
      word: 'began',
      ...BEGAN,
      text: name,
    })),
    ...episodes.flatMap(({ id: episode, closedAt, name }) =>
      closedAt === undefined || closed.has(episode)
        ? []
        : [{ key: `closed ${episode}`, at: closedAt, word: 'closed', ...OUTCOMES.closed, text: name }],
    ),
    ...decisions.map(entryOfDecision),
    ...entriesOfDeliveries(deliveries.filter(({ rule }) => rule === id)),
  ];
  return folded(entries.toSorted((a, b) => Date.parse(b.at) - Date.parse(a.at)));
}

function entryOfDecision({ at, outcome, message }: Decision, index: number): Omit<Entry, 'times'> {
  return { key: `decision ${index}`, at, word: outcome, ...OUTCOMES[outcome], text: message };
}

function entriesOfDeliveries(deliveries: readonly Delivery[]): readonly Omit<Entry, 'times'>[] {
  const announced = new Set<string>();
  const oldestFirst = deliveries.toSorted((a, b) => Date.parse(a.createdAt) - Date.parse(b.createdAt));
  return oldestFirst.map((delivery) => {
    const { id, do: verb, account, text, message, state, createdAt, sentAt, result, episode, step } = delivery;
    const target = `${episode} ${step} ${account}`;
    const isRepeated = announced.has(target);
    if (state === 'sent') announced.add(target);
    const what = [`${verb} through ${account}`, text === undefined ? '' : `“${text}”`, message ?? ''].filter((part) => part !== '');
    const url = typeof result?.['url'] === 'string' ? result['url'] : undefined;
    return { key: id, at: sentAt ?? createdAt, ...wordOf(delivery, isRepeated), text: what.join(': '), url };
  });
}

/** The verbs name what happens: `editPost`, `discord.edit`, `deletePost`. A step that is sent repeatedly in one episode keeps a card current. */
function wordOf({ do: verb, state }: Delivery, isRepeated: boolean): Toned & { readonly word: string } {
  if (state !== 'sent') return { word: state, ...STATES[state] };
  if (/\.delete/u.test(verb)) return { word: 'deleted', ...DELETED };
  return isRepeated || /\.edit/u.test(verb) ? { word: 'edited', ...EDITED } : { word: 'announced', ...STATES.sent };
}

function folded(newestFirst: readonly Omit<Entry, 'times'>[]): readonly Entry[] {
  const entries: Entry[] = [];
  for (const entry of newestFirst) {
    const last = entries.at(-1);
    const isEqual = last?.word === entry.word && (entry.word === 'edited' ? last.url === entry.url : last.text === entry.text);
    if (last && isEqual) entries.splice(-1, 1, { ...last, times: last.times + 1 });
    else entries.push({ ...entry, times: 1 });
  }
  return entries;
}
