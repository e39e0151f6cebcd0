import type { ApiToken, Person } from '#src/admin/actions/people.ts';
import type { Role } from '#src/admin/actions/actor.ts';

/** Why a person was not changed. `lastAdmin`: no other person is an admin, or no other one with a password. */
type Unchanged = 'unknown' | 'lastAdmin';

/** The people who may sign in. */
interface People {
  /** False: the id is in use. */
  add(person: Person, passwordHash: string): Promise<boolean>;
  /** Adds a person of Discord, or stores their current name and role. */
  put(person: Person): Promise<void>;
  /** By name. */
  list(): Promise<readonly Person[]>;
  passwordOf(id: string): Promise<{ readonly person: Person; readonly hash: string } | undefined>;
  /** Changes a password and ends all sessions of the person; false: there is no such person with a password. */
  changePassword(id: string, passwordHash: string): Promise<boolean>;
  /** Changes a role, unless no admin with a password would be left. The role before. */
  changeRole(id: string, role: Role): Promise<Role | Unchanged>;
  /** Deletes a person with all sessions. `keepsAdmin`: unless no admin would be left, or none with a password. */
  remove(id: string, options?: { readonly keepsAdmin?: boolean }): Promise<'removed' | Unchanged>;
}

/** A session, by the hash of its cookie. */
interface Session {
  readonly hash: string;
  readonly person: string;
  /** The address from which the person signed in. */
  readonly address: string;
  readonly expiresAt: Date;
}

/** The sessions of browsers. */
interface Sessions {
  /**
   * Also deletes expired rows, as `ApiTokens.add` does. False: the person no longer has `passwordHash`, the hash of the password that was checked.
   * Absent: no password was checked.
   */
  begin(session: Session & { readonly passwordHash?: string | undefined }): Promise<boolean>;
  /** The person of a session that has not expired. */
  find(hash: string): Promise<Person | undefined>;
  end(hash: string): Promise<void>;
  endAll(person: string): Promise<void>;
  /** Whether the person is signed in from an address. */
  isKnown(person: string, address: string): Promise<boolean>;
}

/** The tokens of the API, by the hashes of their texts. */
interface ApiTokens {
  /** Also deletes expired rows, and those of tokens that expired or were revoked 30 days ago. */
  add(hash: string, token: Pick<ApiToken, 'id' | 'name' | 'scope' | 'by' | 'expiresAt'>): Promise<void>;
  /** Newest first. */
  list(): Promise<readonly ApiToken[]>;
  /** A token that is neither revoked nor expired. Notes its use. */
  use(hash: string): Promise<ApiToken | undefined>;
  /** False: there is no such token that is not revoked. */
  revoke(id: string): Promise<boolean>;
  /** Deletes a token, so that it is no longer listed. */
  drop(id: string): Promise<void>;
}

/** A limit of attempts: so many at once, and then one in each interval. */
export interface AttemptLimit {
  readonly burst: number;
  readonly intervalMs: number;
}

/** Counts attempts to sign in, for all processes. Keys are hashes. */
interface Attempts {
  /** Takes an attempt. Returns the wait in milliseconds if there is none left. */
  take(key: string, limit: AttemptLimit): Promise<number | undefined>;
  /** Gives an attempt back after a success. */
  giveBack(key: string, limit: AttemptLimit): Promise<void>;
  /** Gives all attempts back. */
  forget(key: string): Promise<void>;
}

/** The token that creates the first admin. All processes share it. */
interface FirstRunTokens {
  /** Stores a token; false: an earlier one is still valid, and the new one does not replace it. */
  offer(hash: string, token: { readonly expiresAt: Date; readonly replaces?: boolean | undefined }): Promise<boolean>;
  /** Uses up the token and adds the person. False: the token is not valid, or a person with a password exists. */
  claim(hash: string, person: Person, passwordHash: string): Promise<boolean>;
}

/** Who may use the page and the API from other machines. Secrets are stored as hashes only. */
export interface AccessStore {
  readonly people: People;
  readonly sessions: Sessions;
  readonly apiTokens: ApiTokens;
  readonly attempts: Attempts;
  readonly firstRunTokens: FirstRunTokens;
}
