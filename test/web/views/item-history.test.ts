import { expect, test } from 'vitest';
import type { Decision, Delivery } from '#src/web/client/records.ts';
import { historyOf } from '#src/web/views/item-history.ts';

const at = (minute: number): string => `2026-11-20T18:${String(minute).padStart(2, '0')}:00.000Z`;

function decision(minute: number, changes: Partial<Decision> = {}): Decision {
  return { rule: 'top', at: at(minute), outcome: 'suppressed', item: 'twitch/1', message: 'cooldown', ...changes };
}

function delivery(minute: number, changes: Partial<Delivery> = {}): Delivery {
  return {
    id: `d${minute}`,
    rule: 'top',
    episode: 'e1',
    step: 'card',
    do: 'discord.put',
    account: 'discord',
    state: 'sent',
    attempts: 1,
    createdAt: at(minute),
    sentAt: at(minute),
    text: `text ${minute}`,
    result: { url: 'https://discord.test/1' },
    ...changes,
  };
}

const episode = { id: 'e1', key: 'twitch/1', name: 'Ada', startedAt: at(0), announced: true };

function wordsOf(decisions: readonly Decision[], deliveries: readonly Delivery[], episodes = [episode]): readonly string[] {
  return historyOf({ id: 'top', episodes, decisions }, deliveries, 'en').map(({ word, times }) =>
    times === 1 ? word : `${word} ${times}`,
  );
}

test('the history has what was seen, decided, announced, edited and closed, newest first', () => {
  const decisions = [
    decision(9, { outcome: 'closed', episode: 'e1', message: 'ended' }),
    decision(2, { outcome: 'fired', message: 'entered' }),
    decision(1, { outcome: 'waiting' }),
  ];

  expect(wordsOf(decisions, [delivery(3), delivery(5)])).toEqual(['closed', 'edited', 'announced', 'fired', 'waiting', 'began']);
});

test('consecutive edits of one message are one entry, and an edit of another message is another one', () => {
  const other = { step: 'thread', result: { url: 'https://discord.test/2' } };
  const deliveries = [delivery(3), delivery(4), delivery(5), delivery(6, other), delivery(7, other)];

  expect(wordsOf([], deliveries)).toEqual(['edited', 'announced', 'edited 2', 'announced', 'began']);
});

test('a step that reads data announces nothing', () => {
  const verbs = ['streaming.getUserVideos', 'social.search', 'assistant.ask', 'discord.send'];
  const deliveries = verbs.map((verb, index) =>
    delivery(3 + index, { do: verb, step: verb, ...(verb !== 'discord.send' && { isRead: true }) }),
  );

  expect(wordsOf([], deliveries)).toEqual(['announced', 'read', 'read', 'read', 'began']);
});

test('consecutive equal decisions are one entry with the instant of the newest', () => {
  const decisions = [decision(5), decision(4), decision(3, { message: 'quiet hours' }), decision(2)];

  expect(wordsOf(decisions, [], [])).toEqual(['suppressed 2', 'suppressed', 'suppressed']);
  expect(historyOf({ id: 'top', episodes: [], decisions }, [], 'en')[0]?.at).toBe(at(5));
});

test('a closed episode without a stored decision shows its end', () => {
  expect(wordsOf([], [], [{ ...episode, closedAt: at(8) } as typeof episode])).toEqual(['closed', 'began']);
});

test('deliveries of other rules are left out, and a delivery that failed shows its state and its reason', () => {
  const failed = delivery(3, { state: 'failed', message: 'the channel is missing' });
  const [entry] = historyOf({ id: 'top', episodes: [], decisions: [] }, [failed, delivery(4, { rule: 'other' })], 'en');

  expect(entry).toMatchObject({ word: 'failed', tone: 'bad', text: 'discord.put through discord: “text 3”: the channel is missing' });
});

test('a deleted message is not announced again', () => {
  expect(wordsOf([], [delivery(4, { do: 'social.deletePost', step: 'remove' })], [])).toEqual(['deleted']);
});

test('two episodes announce twice', () => {
  expect(wordsOf([], [delivery(3), delivery(4, { episode: 'e2', text: 'other' })], [])).toEqual(['announced', 'announced']);
});
