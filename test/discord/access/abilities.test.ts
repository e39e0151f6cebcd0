import { PermissionsBitField } from 'discord.js';
import { expect, test } from 'vitest';
import { knownBy, may } from '#src/discord/access/abilities.ts';

const OPERATORS = '120258413199360000';
const roles = { operate: [OPERATORS, 'Crew'] };

function mayOperate(id: string, name: string): boolean {
  return may('operate', { permissions: new PermissionsBitField(0n), roles: knownBy([id], [name]) }, { roles });
}

test('a role is known by its id, or by its name', () => {
  expect([mayOperate(OPERATORS, 'renamed'), mayOperate('120258413199360001', 'Crew')]).toEqual([true, true]);
  expect(mayOperate('120258413199360001', 'Guests')).toBe(false);
});

test('whoever may make roles gives nothing away by one that is called like the id of another', () => {
  expect(mayOperate('120258413199360001', OPERATORS)).toBe(false);
});
