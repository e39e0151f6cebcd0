import type { Act } from './audited.ts';
import type { ApiToken, Person } from './people.ts';

/** A new token. Its text is not stored. */
interface CreatedToken {
  readonly token: ApiToken;
  readonly text: string;
}

/** The actions on people and tokens. They throw a `Refused` with the reason. */
export interface AccessActions {
  readonly createToken: Act<'createToken', CreatedToken>;
  readonly revokeToken: Act<'revokeToken', ApiToken>;
  readonly addPerson: Act<'addPerson', Person>;
  readonly changeRole: Act<'changeRole', Person>;
  /** Ends all sessions of the person. */
  readonly changePassword: Act<'changePassword', Person>;
  /** Ends all sessions of the person. */
  readonly removePerson: Act<'removePerson', Person>;
  readonly signOutPerson: Act<'signOutPerson', Person>;
}
