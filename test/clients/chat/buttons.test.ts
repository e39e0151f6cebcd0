import { expect, test } from 'vitest';
import { LONGEST_KEY, parsePressButtonId, pressButtonId } from '#src/clients/chat/buttons.ts';
import { fc } from '../../support/property.ts';

const key = fc.string({ minLength: 1, maxLength: LONGEST_KEY });
const place = fc.integer({ min: 0, max: 24 });
const role = fc.string({ minLength: 1 });

test('an id contains the write and the position of the button, within the length limit', () => {
  fc.assert(
    fc.property(key, place, role, (write, position, name) => {
      const id = pressButtonId({ label: 'Ping me', role: name }, write, position);

      expect(parsePressButtonId(id)).toMatchObject({ key: write, place: position });
      expect(id.length).toBeLessThanOrEqual(100);
    }),
  );
});

test('an id of an earlier version has no effect', () => {
  expect(parsePressButtonId('press:k:1:3')).toEqual({ key: 'k:1', place: 3, effect: undefined });
});

test('the effect is the same for the same role or the same mute, and differs otherwise', () => {
  const mute = { label: 'Mute', mute: 'item' } as const;
  const buttons = [
    { label: 'Ping me', role: 'Live' },
    { label: 'Ping', role: 'Live' },
    { label: 'Ping me', role: 'Clips' },
    { ...mute, allow: ['Moderator'] },
    { ...mute, allow: ['Moderator', 'Staff'] },
  ];

  const effects = buttons.map((button) => parsePressButtonId(pressButtonId(button, 'k', 0))?.effect);

  expect(effects[0]).toBe(effects[1]);
  expect(new Set(effects).size).toBe(4);
});
