import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { PlatformError } from '#src/errors.ts';
import { catalogueOf } from '#src/clients/operation/declared.ts';
import { withOperations, perform, readAll, recoverWrite } from '#src/clients/operation/client.ts';
import { read, write } from '#src/clients/operation/operation.ts';
import type { Platform } from '#src/clients/operation/platform.ts';
import { Bot, streamingTopics } from '#src/clients/streaming/bot.ts';
import { getTopStreams } from '#src/clients/streaming/streams.ts';
import { chain, idsOf, pagedBot } from '../../support/paged-bot.ts';

const Note = z.object({ id: z.string(), text: z.string() });
const addNote = write('addNote', {
  effect: 'creates',
  params: z.strictObject({ text: z.string().min(1), loud: z.boolean().default(false) }),
  returns: Note,
  args: (text: string, options: { readonly key?: string; readonly signal?: AbortSignal; readonly loud?: boolean } = {}) => ({
    text,
    ...options,
  }),
});
const dropNote = write('dropNote', {
  effect: 'sets',
  params: z.strictObject({ note: z.string() }),
  returns: z.boolean(),
  args: (note: string) => ({ note }),
});
const getNote = read('getNote', { params: z.strictObject({ note: z.string() }), returns: Note, args: (note: string) => ({ note }) });
const notes = { addNote, dropNote, getNote };
class Notes extends withOperations(notes) {}

type NotesPlatform = Platform<typeof notes>;
const SINCE = new Date('2026-11-20T18:00:00Z');

function notesOn(operations: NotesPlatform['operations'], platform: Partial<NotesPlatform> = {}): Notes {
  const native = { support: 'native' } as const;
  const capabilities = { addNote: native, dropNote: native, getNote: native };
  return new Notes({ platform: { name: 'demo', account: 'mine', operations, capabilities, ...platform } });
}

describe('a call', () => {
  test('passes the parsed parameters and the options of the call to the primitive', async () => {
    const calls: unknown[] = [];
    const client = notesOn({
      addNote: async (params, options) => {
        calls.push(params, options.key);
        return { id: '1', text: params.text };
      },
    });

    const note = await client.addNote('hi', { key: 'k' });

    expect(note).toEqual({ id: '1', text: 'hi' });
    expect(calls).toEqual([{ text: 'hi', loud: false }, 'k']);
  });

  test('with an invalid argument fails before the primitive', async () => {
    const client = notesOn({
      addNote: () => {
        throw new Error('it did');
      },
    });

    await expect(client.addNote('')).rejects.toMatchObject({ name: 'ValidationError', path: 'text' });
  });

  test('of a native operation without a primitive fails as a defect of the adapter', async () => {
    await expect(notesOn({}).getNote('1')).rejects.toThrow('demo claims getNote and has no primitive for it');
  });

  test('of an operation without a capability is unsupported', async () => {
    const client = notesOn({}, { capabilities: {} as NotesPlatform['capabilities'] }); // as an adapter of an older version is

    await expect(client.getNote('1')).rejects.toMatchObject({ name: 'UnsupportedOperation', operation: 'getNote' });
  });

  test('of a gated operation is passed to the platform', async () => {
    const gated = { support: 'gated', reason: 'TIER_REQUIRED' } as const;
    const client = notesOn(
      { getNote: async () => ({ id: '1', text: 'hi' }) },
      { capabilities: { addNote: gated, dropNote: gated, getNote: gated } },
    );

    expect(await client.getNote('1')).toEqual({ id: '1', text: 'hi' });
  });
});

describe('the class', () => {
  test('has its operations on the prototype', () => {
    expect(Object.getOwnPropertyNames(Object.getPrototypeOf(Notes.prototype))).toEqual(
      expect.arrayContaining(['addNote', 'dropNote', 'getNote']),
    );
  });

  test('cannot be made from an operation under another name', () => {
    expect(() => withOperations({ addNotes: addNote })).toThrow('operation addNotes is misnamed');
  });

  test('cannot be made from two operations of one name', () => {
    expect(() => withOperations({ addNote }, { addNote })).toThrow('declared twice');
  });
});

describe('an operation by its declaration', () => {
  test('is found by its verb', () => {
    const catalogue = catalogueOf({ streaming: streamingTopics });

    expect([...catalogue.keys()]).toEqual(expect.arrayContaining(['streaming.getUser', 'streaming.getTopStreams']));
    expect([...catalogue.keys()].filter((verb) => verb.includes('iter'))).toEqual([]);
    expect(catalogue.get('streaming.getTopStreams')).toBe(getTopStreams.declared);
  });

  test('writes as the method does', async () => {
    const client = notesOn({ addNote: async ({ text }, { key = 'none' }) => ({ id: key, text }) });

    const note = await perform(client, addNote.declared, { text: 'hi' }, { key: 'k' });

    expect(note).toEqual({ id: 'k', text: 'hi' });
  });

  test('lists as the method does', async () => {
    const { bot } = pagedBot(chain(['a'], ['b']));

    const streams = await perform(bot, getTopStreams.declared, { pages: 2 });

    expect(streams).toMatchObject({ items: [{ id: 'a' }, { id: 'b' }] });
  });

  test('refuses parameters that it does not take', async () => {
    await expect(perform(notesOn({}), addNote.declared, { wrong: 'hi' })).rejects.toMatchObject({ name: 'ValidationError' });
  });
});

describe('rule 16: a poll', () => {
  test('reads all pages without pauses between them', async () => {
    const { bot, clock, requests } = pagedBot(chain(['a', 'b'], [], ['c']));

    const poll = await readAll(bot, getTopStreams.declared, { pages: 'all', waitTime: 30 });

    expect(idsOf(poll.items as readonly { readonly id: string }[])).toEqual(['a', 'b', 'c']); // streams have ids
    expect(requests).toHaveLength(3);
    expect(clock.sleeping).toBe(0);
  });

  test('fails if one page fails', async () => {
    const { bot } = pagedBot(chain(['a'], ['b']), {
      onRequest: (cursor) => {
        if (cursor === 'p2') throw new PlatformError('down', { platform: 'demo', fault: 'unavailable' });
      },
    });

    await expect(readAll(bot, getTopStreams.declared, { pages: 'all' })).rejects.toMatchObject({ fault: 'unavailable' });
  });

  test('reports missing items', async () => {
    const { bot } = pagedBot({
      start: { ids: ['a'], approximate: true, partialErrors: [{ fault: 'unavailable', message: 'down', values: ['z'] }] },
    });

    const poll = await readAll(bot, getTopStreams.declared, {});

    expect(poll).toMatchObject({ approximate: true, partialErrors: [{ values: ['z'] }] });
  });
});

describe('the outcome of an earlier write', () => {
  const options = { key: 'k', since: SINCE, taken: new Set<string>() };

  test('is found by the platform', async () => {
    const client = notesOn({}, { recover: { addNote: async ({ text }, { key }) => ({ found: { id: key, text } }) } });

    expect(await recoverWrite(client, addNote.declared, { text: 'hi' }, options)).toEqual({ found: { id: 'k', text: 'hi' } });
  });

  test('is unknown for a write that creates, without recovery by the platform', async () => {
    expect(await recoverWrite(notesOn({}), addNote.declared, { text: 'hi' }, options)).toBe('cannotTell');
  });

  test('is absent for a write that sets a state, without recovery by the platform', async () => {
    expect(await recoverWrite(notesOn({}), dropNote.declared, { note: '1' }, options)).toBe('absent');
  });
});

test('a client has the name of its account', () => {
  expect(pagedBot({}).bot.account).toBe('demo');
  expect(pagedBot({}, { account: 'twitch_de' }).bot).toBeInstanceOf(Bot);
});
