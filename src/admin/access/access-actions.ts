import { randomUUID } from 'node:crypto';
import type { AuditLog } from '#src/admin/actions/audit-log.ts';
import { audited } from '#src/admin/actions/audited.ts';
import type { AccessActions } from '#src/admin/actions/access-actions.ts';
import type { Person } from '#src/admin/actions/people.ts';
import { idOfName, personNamed } from './names.ts';
import { checkPassword, type Passwords } from './passwords.ts';
import { attemptKeyOf, hashOf, newSecret, TOKEN_START } from './secret.ts';
import type { Clock } from '#src/clock.ts';
import { Refused } from '#src/errors.ts';
import type { AccessStore } from './access-store.ts';

export interface AccessActionParts {
  readonly access: Pick<AccessStore, 'people' | 'sessions' | 'apiTokens' | 'attempts'>;
  readonly passwords: Pick<Passwords, 'hash'>;
  readonly auditLog: Pick<AuditLog, 'start' | 'end'>;
  readonly clock: Pick<Clock, 'nowMs'>;
}

/** The actions on the people and tokens of a store. */
export function createAccessActions({ access, passwords, auditLog, clock }: AccessActionParts): AccessActions {
  const { people, sessions, apiTokens, attempts } = access;

  async function find(person: string): Promise<Person> {
    const found = (await people.list()).find(({ id }) => id === person || id === idOfName(person));
    return found ?? unknown(person);
  }

  return {
    createToken: audited('createToken', auditLog, async ({ name, scope, expiresAt }, by) => {
      if (expiresAt && expiresAt.getTime() <= clock.nowMs())
        throw new Refused('tokenExpired', 'The token would be expired. Choose a later time.');
      const text = TOKEN_START + newSecret();
      const token = { id: randomUUID().slice(0, 8), name, scope, by: by.name, expiresAt };
      await apiTokens.add(hashOf(text, 'token'), token);
      const after = { token: token.id, scope, ...(expiresAt && { expiresAt: expiresAt.toISOString() }) };
      return { result: { token: { ...token, createdAt: new Date(clock.nowMs()) }, text }, outcome: 'done', after };
    }),

    revokeToken: audited('revokeToken', auditLog, async ({ token: id }) => {
      const isRevoked = await apiTokens.revoke(id);
      const token = (await apiTokens.list()).find((one) => one.id === id);
      if (!isRevoked || !token)
        throw new Refused('tokenNotFound', `There is no active token ${id}. To list the tokens: npx fanfare token list`);
      return { result: token, outcome: 'done', before: { name: token.name, scope: token.scope }, after: { revoked: true } };
    }),

    addPerson: audited('addPerson', auditLog, async ({ name, role, password }) => {
      const person = personNamed(name, role);
      checkPassword(password);
      if (!(await people.add(person, await passwords.hash(password))))
        throw new Refused('nameTaken', `There already is a user ${person.name}.`);
      return { result: person, outcome: 'done', after: { id: person.id, role } };
    }),

    changeRole: audited('changeRole', auditLog, async ({ person: name, role }) => {
      const person = await find(name);
      if (person.kind === 'discord')
        throw new Refused('roleOfDiscord', `The role of ${person.name} comes from Discord. Change signIn.discord in fanfare.yaml.`);
      const before = await people.changeRole(person.id, role);
      if (before === 'unknown') return unknown(name);
      if (before === 'lastAdmin') throw lastAdmin(person);
      const result = { ...person, role };
      if (before === role) return { result, outcome: 'unchanged' };
      return { result, outcome: 'done', before: { role: before }, after: { role } };
    }),

    changePassword: audited('changePassword', auditLog, async ({ person: name, password }) => {
      checkPassword(password);
      const person = await find(name);
      if (!(await people.changePassword(person.id, await passwords.hash(password)))) return unknown(name);
      await attempts.forget(attemptKeyOf(person.id));
      return { result: person, outcome: 'done' };
    }),

    removePerson: audited('removePerson', auditLog, async ({ person: name }) => {
      const person = await find(name);
      const removed = await people.remove(person.id, { keepsAdmin: true });
      if (removed === 'unknown') return unknown(name);
      if (removed === 'lastAdmin') throw lastAdmin(person);
      return { result: person, outcome: 'done', before: { id: person.id, role: person.role } };
    }),

    signOutPerson: audited('signOutPerson', auditLog, async ({ person: name }) => {
      const person = await find(name);
      await sessions.endAll(person.id);
      return { result: person, outcome: 'done' };
    }),
  };
}

function unknown(name: string): never {
  throw new Refused('personNotFound', `There is no user ${name}. To list the users: npx fanfare user list`);
}

function lastAdmin({ name, kind }: Person): Refused {
  const [admin, other] = kind === 'password' ? ['admin with a password', 'person with a password'] : ['admin', 'person'];
  return new Refused('lastAdmin', `${name} is the last ${admin}. Make another ${other} an admin first.`);
}
