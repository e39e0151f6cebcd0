import { randomUUID } from 'node:crypto';
import type { AccessActions } from '#src/admin/actions/access-actions.ts';
import type { Actor, Role } from '#src/admin/actions/actor.ts';
import type { AuditLog } from '#src/admin/actions/audit-log.ts';
import type { Clock } from '#src/clock.ts';
import type { AccessStore, AttemptLimit } from './access-store.ts';
import type { ApiToken, Person, PersonKind, TokenScope } from '#src/admin/actions/people.ts';
import { createAccessActions } from './access-actions.ts';
import { idOfDiscord, personOfDiscord, type DiscordRoles, type DiscordUser } from './discord-sign-in.ts';
import { checkPassword, createPasswords, type Passwords } from './passwords.ts';
import { networkOf } from './network.ts';
import { attemptKeyOf, hashOf, newSecret, TOKEN_START } from './secret.ts';
import { idOfName, personNamed } from './names.ts';

const HOUR_MS = 3_600_000;
/** A person of Discord signs in again after a day, because their roles in Discord may have changed. */
const SESSION_MS: Readonly<Record<PersonKind, number>> = { password: 7 * 24 * HOUR_MS, discord: 24 * HOUR_MS };
const FIRST_RUN_MS = HOUR_MS;
const BUSY_MS = 5_000;

const OF_ADDRESS: AttemptLimit = { burst: 10, intervalMs: 60_000 };
/** One address gets fewer attempts, so only many addresses together can use these up. */
const OF_NAME: AttemptLimit = { burst: 100, intervalMs: 6_000 };

/** A session that began. */
export interface BegunSession {
  readonly person: Person;
  /** The value of the cookie. It is not stored. */
  readonly secret: string;
  readonly lifetimeMs: number;
}

/** The answer to a name and a password. */
export type SignInOutcome = BegunSession | { readonly refused: 'wrong' } | { readonly refused: 'wait'; readonly waitMs: number };

/** Who may use the page and the API from other machines. */
export interface Access extends AccessActions {
  signIn(typed: { readonly name: string; readonly password: string; readonly address: string }): Promise<SignInOutcome>;
  /** Takes an attempt of an address. Returns the wait in milliseconds if there is none. */
  takeAttempt(address: string): Promise<number | undefined>;
  /** Signs in a user whom Discord identified. Ends the sessions of a user who has lost all roles. */
  signInWithDiscord(user: DiscordUser, options: { readonly roles: DiscordRoles; readonly address: string }): Promise<SignInOutcome>;
  personOf(session: string): Promise<Person | undefined>;
  signOut(session: string): Promise<void>;
  /** Ends all sessions of a person. */
  signOutEverywhere(person: Person, address: string): Promise<void>;
  people(): Promise<readonly Person[]>;
  tokens(): Promise<readonly ApiToken[]>;
  useToken(text: string): Promise<ApiToken | undefined>;
  /** Creates the token for the first admin; undefined: a person has a password. The only process of an installation replaces an earlier token. */
  offerFirstRun(options?: { readonly isOnlyProcess?: boolean }): Promise<FirstRun | undefined>;
  /** Creates the first admin and begins a session. Throws a {@link Refused} for an unusable name or password. */
  claimFirstRun(typed: FirstRunClaim): Promise<SignInOutcome>;
}

/** How the first admin is created. */
export interface FirstRun {
  /** The token for the page; undefined: the token of another process is still valid. */
  readonly text: string | undefined;
}

interface FirstRunClaim {
  readonly text: string;
  readonly name: string;
  readonly password: string;
  readonly address: string;
}

export interface AccessParts {
  readonly store: AccessStore;
  readonly auditLog: Pick<AuditLog, 'start' | 'end'>;
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly passwords?: Passwords | undefined;
}

/** Signs people in, and checks sessions and tokens. */
export function createAccess({ store, auditLog, clock, passwords = createPasswords() }: AccessParts): Access {
  const { people, sessions, apiTokens, attempts, firstRunTokens } = store;
  const inMs = (ms: number): Date => new Date(clock.nowMs() + ms);

  async function audit(action: string, by: Omit<Actor, 'role'>, target: string, done: () => Promise<boolean>): Promise<boolean> {
    const id = randomUUID();
    await auditLog.start({ id, action, by, target });
    const isDone = await done();
    await auditLog.end({ id, outcome: isDone ? 'done' : 'refused' });
    return isDone;
  }

  async function begin(person: Person, { address, passwordHash }: { address: string; passwordHash?: string }): Promise<SignInOutcome> {
    const secret = newSecret();
    const lifetimeMs = SESSION_MS[person.kind];
    const session = { hash: hashOf(secret, 'session'), person: person.id, address, expiresAt: inMs(lifetimeMs) };
    // The password may have been changed since it was read.
    const isBegun = await audit('signIn', actorOfPerson(person, address), person.id, () => sessions.begin({ ...session, passwordHash }));
    return isBegun ? { person, secret, lifetimeMs } : { refused: 'wrong' };
  }

  /** Takes an attempt of an address, and of a name from an unknown address. Returns the wait if there is none. */
  async function takeAttempt(id: string, address: string): Promise<number | undefined> {
    if (passwords.isBusy()) return BUSY_MS;
    const waitMs = await attempts.take(attemptKeyOf(networkOf(address)), OF_ADDRESS);
    // Others who guess a password cannot lock its owner out.
    if (waitMs !== undefined || (await sessions.isKnown(id, address))) return waitMs;
    return attempts.take(attemptKeyOf(id), OF_NAME);
  }

  return {
    async signIn({ name, password, address }) {
      const id = idOfName(name);
      const waitMs = await takeAttempt(id, address);
      if (waitMs !== undefined) return { refused: 'wait', waitMs };
      const found = await people.passwordOf(id);
      if (!(await passwords.verify(password, found?.hash)) || !found) return { refused: 'wrong' };
      await attempts.giveBack(attemptKeyOf(networkOf(address)), OF_ADDRESS);
      return begin(found.person, { address, passwordHash: found.hash });
    },

    takeAttempt: (address) => attempts.take(attemptKeyOf(networkOf(address)), OF_ADDRESS),

    async signInWithDiscord(user, { roles, address }) {
      const person = personOfDiscord(user, roles);
      if (!person) {
        await people.remove(idOfDiscord(user));
        return { refused: 'wrong' };
      }
      await attempts.giveBack(attemptKeyOf(networkOf(address)), OF_ADDRESS);
      await people.put(person);
      return begin(person, { address });
    },

    personOf: (session) => sessions.find(hashOf(session, 'session')),
    signOut: (session) => sessions.end(hashOf(session, 'session')),

    async signOutEverywhere(person, address) {
      await audit('signOutEverywhere', actorOfPerson(person, address), person.id, async () => {
        await sessions.endAll(person.id);
        return true;
      });
    },

    people: () => people.list(),
    tokens: () => apiTokens.list(),
    ...createAccessActions({ access: store, passwords, auditLog, clock }),

    useToken: async (text) => (text.startsWith(TOKEN_START) ? apiTokens.use(hashOf(text, 'token')) : undefined),

    async offerFirstRun({ isOnlyProcess = false } = {}) {
      if ((await people.list()).some(({ kind }) => kind === 'password')) return undefined;
      const text = newSecret();
      const token = { expiresAt: inMs(FIRST_RUN_MS), replaces: isOnlyProcess };
      return { text: (await firstRunTokens.offer(hashOf(text, 'first-run'), token)) ? text : undefined };
    },

    async claimFirstRun({ text, name, password, address }) {
      const person = personNamed(name, 'admin');
      checkPassword(password);
      const waitMs = await takeAttempt(person.id, address);
      if (waitMs !== undefined) return { refused: 'wait', waitMs };
      const hash = hashOf(text.trim(), 'first-run');
      const passwordHash = await passwords.hash(password);
      const by = actorOfPerson(person, address);
      const isFirst = await audit('createFirstAdmin', by, person.id, () => firstRunTokens.claim(hash, person, passwordHash));
      return isFirst ? begin(person, { address }) : { refused: 'wrong' };
    },
  };
}

/** A person with a session, as an actor. */
export function actorOfPerson({ id, name, role }: Person, origin: string): Actor {
  return { name, via: 'page', role, id, origin };
}

const ROLES_OF_SCOPES: Readonly<Record<Exclude<TokenScope, 'metrics'>, Role>> = { read: 'viewer', write: 'editor', admin: 'admin' };

/** A token, as an actor; undefined: the token only reads metrics. */
export function actorOfToken({ id, name, scope }: ApiToken, origin: string): Actor | undefined {
  return scope === 'metrics' ? undefined : { name, via: 'api', role: ROLES_OF_SCOPES[scope], id, origin };
}
