import { UserError } from '#src/errors.ts';
import { isSameState, type SentBack } from '#src/secrets/sign-in.ts';

/** Whether an address or its query brings back the state of a sign-in; anything else comes from somebody else. */
export function bringsBack(address: string, state: string): boolean {
  return isSameState(queryOf(address).get('state') ?? undefined, state);
}

/** What the browser was sent back with, from the address that a person pastes; throws a `UserError` that says what is wrong with it. */
export function readSentBack(pasted: string, state: string): SentBack {
  const text = pasted.trim();
  if (!/^\S*\?\S+$/u.test(text)) throw new UserError('This is not an address: copy the whole address line of the browser.');
  if (!bringsBack(text, state)) {
    throw new UserError('This address does not belong to this sign-in: open the address above, and copy the one that you end up at.');
  }
  const query = queryOf(text);
  const [code, error] = ['code', 'error'].map((name) => query.get(name) ?? undefined);
  if (error === 'access_denied') throw new UserError('It was refused in the browser: nobody is signed in.');
  if (error !== undefined) throw new UserError(`The platform refused: ${error.slice(0, 80).replaceAll(/[^\w .-]/gu, '')}.`);
  if (code === undefined) throw new UserError('There is no code in this address: copy it when the platform has sent you back.');
  return { code, state };
}

function queryOf(address: string): URLSearchParams {
  return new URLSearchParams(address.slice(address.indexOf('?') + 1));
}
