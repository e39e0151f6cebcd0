import { expect, test } from 'vitest';
import type { AssistantMessage } from '#src/assistant/records.ts';
import { SLOT_MS } from '../support/firings.ts';
import { ManualClock } from '../support/manual-clock.ts';
import type { OpenStore } from './store.ts';

/** What a store promises of conversations. */
export function keepsTranscripts(open: OpenStore): void {
  test('the last turns of a conversation are read oldest first, and nobody else hears them', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    for (const id of ['1', '2', '3']) await store.transcripts.append('here', turn(id));
    await store.transcripts.append('there', turn('1'));

    expect(await store.transcripts.read('here', { limit: 2 })).toEqual([turn('2'), turn('3')]);
    expect(await store.transcripts.read('here')).toEqual([turn('1'), turn('2'), turn('3')]);
    expect(await store.transcripts.read('there')).toEqual([turn('1')]);
    expect(await store.transcripts.read('nowhere')).toEqual([]);
  });

  test('a turn that is there already is not added again', async () => {
    await using store = await open(new ManualClock(SLOT_MS));

    await store.transcripts.append('here', turn('1'));
    await store.transcripts.append('here', { ...turn('1'), text: 'something else' });

    expect(await store.transcripts.read('here')).toEqual([turn('1')]);
  });

  test('what the model says of an answer is kept with it', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    const answer: AssistantMessage = {
      ...turn('2'),
      role: 'assistant',
      answers: '1',
      finishReason: 'stop',
      usage: { inputTokens: 7, outputTokens: 3 },
      remoteId: 'r1',
    };

    await store.transcripts.append('here', answer);

    expect(await store.transcripts.read('here')).toEqual([answer]);
  });

  test('a conversation is begun once, before anything is said in it', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    const before = await store.transcripts.begunAt('here');

    await store.transcripts.begin('here', new Date(SLOT_MS));
    await store.transcripts.begin('here', new Date(SLOT_MS + 1000));

    expect(before).toBeUndefined();
    expect(await store.transcripts.begunAt('here')).toEqual(new Date(SLOT_MS));
    expect(await store.transcripts.read('here')).toEqual([]);
  });

  test('a conversation that is forgotten is gone, and others stay', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    await store.transcripts.append('here', turn('1'));
    await store.transcripts.append('there', turn('1'));

    await store.transcripts.begin('here', new Date(SLOT_MS));

    await store.transcripts.forget('here');

    expect(await store.transcripts.read('here')).toEqual([]);
    expect(await store.transcripts.begunAt('here')).toBeUndefined();
    expect(await store.transcripts.read('there')).toEqual([turn('1')]);
  });
}

function turn(id: string): AssistantMessage {
  return { id, role: 'user', text: `turn ${id}`, createdAt: new Date(SLOT_MS) };
}
