import { Refused } from '#src/errors.ts';
import { isSameState, type SentBack } from '#src/http/secrets/sign-in.ts';

/** Whether an address has the state of this sign-in. Other addresses come from another program or page. */
export function hasState(address: string, state: string): boolean {
  return isSameState(queryOf(address).get('state') ?? undefined, state);
}

/** Parses the address that the browser was redirected to. Throws a {@link Refused} if the address is not an answer to this sign-in. */
export function readSentBack(pasted: string, state: string): SentBack {
  const text = pasted.trim();
  if (!/^\S*\?\S+$/u.test(text)) throw new Refused('noAddress', 'This is not an address. Copy the whole address from the browser.');
  if (!hasState(text, state)) {
    throw new Refused(
      'otherSignIn',
      'This address does not belong to this sign-in. Open the address above, and copy the address of the last page.',
    );
  }
  const query = queryOf(text);
  const [code, error] = ['code', 'error'].map((name) => query.get(name) ?? undefined);
  if (error === 'access_denied') throw new Refused('accessDenied', 'The access was denied in the browser. You are not signed in.');
  if (error !== undefined) throw new Refused('signInRefused', `The platform refused: ${error.slice(0, 80).replaceAll(/[^\w .-]/gu, '')}.`);
  if (code === undefined)
    throw new Refused('noSignInCode', 'There is no code in this address. Copy the address after the platform has redirected you.');
  return { code, state };
}

function queryOf(address: string): URLSearchParams {
  return new URLSearchParams(address.slice(address.indexOf('?') + 1));
}
