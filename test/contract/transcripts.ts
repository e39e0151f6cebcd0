import { expect, test } from 'vitest';
import type { AssistantMessage } from '#src/clients/assistant/records.ts';
import type { ListOptions } from '#src/clients/assistant/transcript.ts';
import { SLOT_MS } from '../support/firings.ts';
import { ManualClock } from '../support/manual-clock.ts';
import type { OpenStore } from './store.ts';

/** The contract of conversations. */
export function transcriptsContract(open: OpenStore): void {
  test('the last messages of a conversation are read oldest first, and not with another conversation', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    for (const id of ['1', '2', '3']) await store.transcripts.append('here', messageOf(id));
    await store.transcripts.append('there', messageOf('1'));

    expect(await store.transcripts.read('here', { limit: 2 })).toEqual([messageOf('2'), messageOf('3')]);
    expect(await store.transcripts.read('here')).toEqual([messageOf('1'), messageOf('2'), messageOf('3')]);
    expect(await store.transcripts.read('there')).toEqual([messageOf('1')]);
    expect(await store.transcripts.read('nowhere')).toEqual([]);
  });

  test('a message with a known id is not added again', async () => {
    await using store = await open(new ManualClock(SLOT_MS));

    await store.transcripts.append('here', messageOf('1'));
    await store.transcripts.append('here', { ...messageOf('1'), text: 'something else' });

    expect(await store.transcripts.read('here')).toEqual([messageOf('1')]);
  });

  test('the metadata of an answer is stored with it', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    const answer: AssistantMessage = {
      ...messageOf('2'),
      role: 'assistant',
      answers: '1',
      finishReason: 'stop',
      usage: { inputTokens: 7, outputTokens: 3 },
      remoteId: 'r1',
    };

    await store.transcripts.append('here', answer);

    expect(await store.transcripts.read('here')).toEqual([answer]);
  });

  test('a conversation keeps its first begin, even without messages', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    const before = await store.transcripts.begunAt('here');

    await store.transcripts.begin('here', new Date(SLOT_MS));
    await store.transcripts.begin('here', new Date(SLOT_MS + 1000));

    expect(before).toBeUndefined();
    expect(await store.transcripts.begunAt('here')).toEqual(new Date(SLOT_MS));
    expect(await store.transcripts.read('here')).toEqual([]);
  });

  test('a message can follow any other, and a read returns the path to a message', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    const { transcripts } = store;
    for (const id of ['1', '2', '3']) await transcripts.append('here', messageOf(id));
    await transcripts.append('here', messageOf('4'), { after: '1' });
    await transcripts.append('here', messageOf('5'), { after: '4' });

    expect(idsOf(await transcripts.read('here', { upTo: '3' }))).toEqual(['1', '2', '3']);
    expect(idsOf(await transcripts.read('here', { upTo: '5' }))).toEqual(['1', '4', '5']);
    expect(idsOf(await transcripts.read('here', { upTo: '5', limit: 2 }))).toEqual(['4', '5']);
    expect(idsOf(await transcripts.read('here'))).toEqual(['1', '4', '5']);
    expect(await transcripts.read('here', { upTo: '9' })).toEqual([]);
    expect(await transcripts.read('there', { upTo: '5' })).toEqual([]);
  });

  test('the answer to a question is found, even after later messages', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    const { transcripts } = store;
    await transcripts.append('here', messageOf('1'));
    const before = await transcripts.answerTo('here', '1');
    await transcripts.append('here', { ...messageOf('2'), role: 'assistant' }, { after: '1' });
    await transcripts.append('here', messageOf('3'), { after: '1' });

    expect(before).toBeUndefined();
    expect((await transcripts.answerTo('here', '1'))?.id).toBe('2');
    expect(await transcripts.answerTo('there', '1')).toBeUndefined();
  });

  test('conversations are listed with their first question, the most recently used first', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    const { transcripts } = store;
    await transcripts.begin('a%:1', new Date(SLOT_MS - 1000));
    await transcripts.append('a%:1', messageOf('1'), { by: 'ada' });
    await transcripts.append('ab:2', messageOf('2'), { by: 'ada' });
    await transcripts.append('a%:3', messageOf('3'), { by: 'grace' });
    await transcripts.append('a%:1', messageOf('4'), { by: 'grace' });

    const listed = async (options: Omit<ListOptions, 'limit'>): Promise<readonly string[]> =>
      (await transcripts.list({ limit: 10, ...options })).map(({ id }) => id);
    expect(await listed({})).toEqual(['a%:1', 'a%:3', 'ab:2']);
    expect(await listed({ prefix: 'a%:' })).toEqual(['a%:1', 'a%:3']);
    expect(await listed({ by: 'ada' })).toEqual(['a%:1', 'ab:2']);
    expect(await transcripts.list({ by: 'ada', prefix: 'a%', limit: 1 })).toEqual([
      { id: 'a%:1', begins: 'turn 1', createdAt: new Date(SLOT_MS - 1000), updatedAt: new Date(SLOT_MS) },
    ]);
  });

  test('a deleted conversation is empty, and others are unchanged', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    await store.transcripts.append('here', messageOf('1'));
    await store.transcripts.append('there', messageOf('1'));

    await store.transcripts.begin('here', new Date(SLOT_MS));

    await store.transcripts.forget('here');

    expect(await store.transcripts.read('here')).toEqual([]);
    expect(await store.transcripts.begunAt('here')).toBeUndefined();
    expect(await store.transcripts.read('there')).toEqual([messageOf('1')]);
  });
}

function idsOf(messages: readonly AssistantMessage[]): readonly string[] {
  return messages.map(({ id }) => id);
}

function messageOf(id: string): AssistantMessage {
  return { id, role: 'user', text: `turn ${id}`, createdAt: new Date(SLOT_MS) };
}
