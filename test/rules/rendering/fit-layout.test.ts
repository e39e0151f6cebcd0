import { describe, expect, test } from 'vitest';
import type { JsonObject } from '#src/clients/operation/json.ts';
import { rendered } from './fixture.ts';

const SEND = { do: 'discord.send' } as const;
const layoutOf = (...lengths: readonly number[]): JsonObject => ({ blocks: lengths.map((length) => ({ text: 'a'.repeat(length) })) });

describe('a layout whose texts are too long together', () => {
  test('is shortened at its end', () => {
    expect(rendered({ channel: 'live', layout: layoutOf(2500, 2500, 10) }, SEND)).toEqual({
      params: { channel: 'live', layout: { blocks: [{ text: 'a'.repeat(2500) }, { text: `${'a'.repeat(1499)}…` }] } },
    });
  });

  test('leaves room for the pings above it', () => {
    const room = '<@&99999999999999999999> '.length;

    expect(rendered({ channel: 'live', layout: layoutOf(4000), mention: ['Live'] }, SEND)).toMatchObject({
      params: { layout: { blocks: [{ text: `${'a'.repeat(4000 - room - 1)}…` }] } },
    });
  });

  test('leaves room for the pings that an edit keeps', () => {
    const edited = { mention: ['everyone'] };

    expect(rendered({ message: 'c/m', layout: layoutOf(4000) }, { do: 'discord.edit' }, { edited })).toMatchObject({
      params: { layout: { blocks: [{ text: `${'a'.repeat(3989)}…` }] } },
    });
  });

  test('fails with fit: error', () => {
    const error = { ...SEND, fit: 'error' } as const;

    expect(rendered({ channel: 'live', layout: layoutOf(2500, 2500) }, error)).toEqual({
      failure: 'discord.send: the texts of the layout have 5000 characters, and the limit is 4000',
    });
    expect(rendered({ channel: 'live', layout: layoutOf(4000), mention: ['everyone'] }, error)).toEqual({
      failure: 'discord.send: the texts of the layout have 4000 characters, and the limit is 3990 beside the pings',
    });
  });
});
