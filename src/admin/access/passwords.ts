import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { Refused } from '#src/errors.ts';

/** The parameters of scrypt: `ln` is the logarithm of N. */
interface ScryptCost {
  readonly ln: number;
  readonly r: number;
  readonly p: number;
}

/** 32 MB of memory and about 0.2 s: one of the parameter sets that OWASP recommends. */
const COST: ScryptCost = { ln: 15, r: 8, p: 3 };
const KEY_BYTES = 32;
/** Twice the memory of the cost, so that hashes with a higher cost remain readable. */
const MOST_BYTES = 2 ** 26;
/** More would wait for several seconds. */
const MOST_WAITING = 20;
const FEWEST_CHARACTERS = 12;
const MOST_CHARACTERS = 1000;

/** Throws a {@link Refused} for a password that is too short, too long or one repeated character. */
export function checkPassword(password: string): void {
  const { length } = password;
  if (new Set(password).size === 1) throw new Refused('passwordRepeats', 'The password is one repeated character: use several words.');
  if (length < FEWEST_CHARACTERS)
    throw new Refused('passwordTooShort', `The password is too short: use at least ${FEWEST_CHARACTERS} characters.`);
  if (length > MOST_CHARACTERS)
    throw new Refused('passwordTooLong', `The password is too long: use at most ${MOST_CHARACTERS} characters.`);
}

/** Hashes passwords. The hashes are computed one after the other, so that many sign-ins need no more memory than one. */
export interface Passwords {
  /** Hashes a password with a new salt. The result contains the parameters. */
  hash(password: string): Promise<string>;
  /**
   * Whether a password has this hash. Without a hash, takes equally long and returns false, so that the time does not show which names exist.
   */
  verify(password: string, hash: string | undefined): Promise<boolean>;
  /** Whether so many passwords wait that further ones should come later. */
  isBusy(): boolean;
}

/** Creates the hashes of a process. */
export function createPasswords(cost = COST): Passwords {
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;

  async function formatHash(password: string, salt: Buffer, { ln, r, p }: ScryptCost): Promise<string> {
    const key = last.then(() => derive(password.normalize('NFKC'), salt, { ln, r, p }));
    waiting++;
    last = key.catch(() => undefined).finally(() => waiting--);
    return `$scrypt$ln=${ln},r=${r},p=${p}$${salt.toString('base64url')}$${(await key).toString('base64url')}`;
  }

  return {
    hash: (password) => formatHash(password, randomBytes(16), cost),

    async verify(password, hash) {
      const stored = hash ?? `$scrypt$ln=${cost.ln},r=${cost.r},p=${cost.p}$${'A'.repeat(22)}$`;
      const [, ln, r, p, salt] = /^\$scrypt\$ln=(\d+),r=(\d+),p=(\d+)\$([\w-]+)\$/u.exec(stored) ?? [];
      if (salt === undefined) throw new Error('a stored password has an unknown form');
      const its = { ln: Number(ln), r: Number(r), p: Number(p) };
      const found = await formatHash(password.slice(0, MOST_CHARACTERS + 1), Buffer.from(salt, 'base64url'), its);
      const [one, other] = [Buffer.from(found), Buffer.from(stored)];
      return one.length === other.length && timingSafeEqual(one, other);
    },

    isBusy: () => waiting >= MOST_WAITING,
  };
}

function derive(password: string, salt: Buffer, { ln, r, p }: ScryptCost): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  scrypt(password, salt, KEY_BYTES, { N: 2 ** ln, r, p, maxmem: MOST_BYTES }, (error, key) => (error ? reject(error) : resolve(key)));
  return promise;
}
